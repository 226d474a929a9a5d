// A filter whose checksum holds is as long as it says it is and answers any hash.
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/base/check.h"
#include "engine/table/filter.h"
#include "suites/formats/fuzz_seeds.h"
#include "suites/formats/seal.h"

namespace kiban::suites {
namespace {

constexpr uint64_t kFile = 12;

}  // namespace

std::vector<std::string> MakeFuzzSeeds() {
  std::vector<std::string> seeds;
  std::vector<uint64_t> hashes;
  for (const uint32_t bits_per_key : {1u, 10u, 32u}) {
    table::Filter::Append(seeds.emplace_back(), kFile, 0, hashes, bits_per_key);
    for (uint64_t i = 0; i < 9; ++i) hashes.push_back(base::Mix64(i + bits_per_key));
  }
  return seeds;
}

namespace {

void Read(std::string section) {
  SealPart(section, kFile, {"filter", 0, section.size()});
  const auto filter = table::Filter::Decode(kFile, 0, section);
  if (!filter.has_value()) return;
  CHECK(table::Filter::EncodedBytes(filter->key_count(), filter->bits_per_key()) == section.size());
  for (uint64_t i = 0; i < 64; ++i) filter->MayContain(base::Mix64(i));
}

}  // namespace
}  // namespace kiban::suites

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kiban::suites::Read({reinterpret_cast<const char*>(data), size});
  return 0;
}
