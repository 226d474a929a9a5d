#include "tools/build_info.h"

// Written by the build; nothing else may include it, or all is built again.
#include "tools/revision.h"

namespace kiban::tools {

std::string Revision() { return KIBAN_REVISION; }

std::string Build() {
#ifdef __clang__
  std::string build = "clang++ ";
#else
  std::string build = "g++ ";
#endif
  build += std::string(KIBAN_COMPILER_VERSION) + " " + KIBAN_BUILD_TYPE;
  if (*KIBAN_SANITIZERS != '\0') build += std::string(" ") + KIBAN_SANITIZERS;
  if (!LogicPlant().empty()) build += " with " + LogicPlant();
  return build;
}

std::string LogicPlant() { return KIBAN_LOGIC_PLANT; }

suites::Provenance ProvenanceOf(const Arguments& arguments) {
  return {.revision = Revision(),
          .build = Build(),
          .logic_plant = LogicPlant(),
          .program = arguments.program(),
          .args = arguments.words()};
}

}  // namespace kiban::tools
