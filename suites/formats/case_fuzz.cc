// A text that is taken for a case says the same when it is written out and read again.
#include <cstddef>
#include <cstdint>

#include "engine/base/check.h"
#include "sim/disk/profile.h"
#include "suites/concurrent/concurrent_suite.h"
#include "suites/crash/crash_suite.h"
#include "suites/formats/fuzz_seeds.h"
#include "suites/support/case_file.h"
#include "suites/support/engine_under_test.h"

namespace kiban::suites {

std::vector<std::string> MakeFuzzSeeds() {
  const Engine& engine = *FindEngine("lsm");
  return {FormatCase({.plan = GenerateShortCrashLife(1, engine, sim::kStrict)}),
          FormatCase({.plan = GenerateShortConcurrentLife(2, engine, sim::kStrict)})};
}

namespace {

void Read(std::string_view text) {
  const auto parsed = ParseCaseFile(text);
  if (!parsed.ok()) return;
  const std::string written = FormatCase(*parsed);
  const auto again = ParseCaseFile(written);
  CHECK(again.ok());
  CHECK(FormatCase(*again) == written);
}

}  // namespace
}  // namespace kiban::suites

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kiban::suites::Read({reinterpret_cast<const char*>(data), size});
  return 0;
}
