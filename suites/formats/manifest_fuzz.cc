// A manifest whose checksum holds is refused, or is what its encoder makes of what was read.
#include <cstddef>
#include <cstdint>

#include "engine/base/check.h"
#include "engine/lsm/manifest_format.h"
#include "suites/formats/fuzz_seeds.h"
#include "suites/formats/seal.h"

namespace kiban::suites {

std::vector<std::string> MakeFuzzSeeds() {
  lsm::Manifest manifest{.min_log = 9, .next_file = 12, .last_sequence = 40, .levels = {}};
  std::vector<std::string> seeds = {lsm::EncodeManifest(manifest)};
  const auto table = [](uint64_t number, base::Sequence from, std::string smallest_key) {
    return lsm::TableInfo{.number = number,
                          .size_bytes = 500,
                          .entry_count = 5,
                          .smallest_sequence = from,
                          .largest_sequence = from + 4,
                          .smallest_key = smallest_key,
                          .largest_key = smallest_key + "z"};
  };
  manifest.levels[0] = {table(7, 21, ""), table(8, 31, "b")};
  manifest.levels[1] = {table(5, 1, "b"), table(3, 2, "d")};
  manifest.levels[6] = {table(1, 4, std::string(70, 'k'))};
  seeds.push_back(lsm::EncodeManifest(manifest));
  return seeds;
}

namespace {

void Read(std::string file) {
  SealManifest(file);
  const auto manifest = lsm::DecodeManifest("MANIFEST", file);
  if (manifest.ok()) {
    CHECK(lsm::EncodeManifest(*manifest) == file);
  } else {
    CHECK(absl::IsDataLoss(manifest.status()) || absl::IsUnimplemented(manifest.status()));
  }
}

}  // namespace
}  // namespace kiban::suites

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kiban::suites::Read({reinterpret_cast<const char*>(data), size});
  return 0;
}
