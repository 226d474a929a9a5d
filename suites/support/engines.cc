// The table of engines. Explicit, because a linker drops what registers itself in a library.
#include "suites/support/engine_under_test.h"
#include "suites/support/lsm_adapter.h"
#include "suites/toy_engine/adapter.h"

namespace kiban::suites {

const std::vector<Engine>& Engines() {
  static const std::vector<Engine> engines = {
      LsmEngine(),
      ToyEngine(),
  };
  return engines;
}

const Engine* FindEngine(std::string_view name) {
  for (const Engine& engine : Engines()) {
    if (engine.name == name) return &engine;
  }
  return nullptr;
}

}  // namespace kiban::suites
