// A section whose checksum holds is refused, or answers everything about its records rightly.
#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/pointindex/index_for_test.h"
#include "suites/formats/fuzz_seeds.h"

namespace kiban::suites {
namespace {

using pointindex::Kind;

pointindex::RecordMap MakeRecords() {
  pointindex::RecordMap map;
  for (uint64_t i = 0; i < 20; ++i) {
    for (uint64_t version = 0; version <= i % 3; ++version) {
      map.Add(absl::StrCat("key/", i * i), 10 * version + i,
              {.kind = i % 5 == 4 ? Kind::kDelete : Kind::kPut});
    }
  }
  map.PlaceValues(1000, [n = 0u]() mutable { return n++ % 9; });
  return map;
}

const pointindex::RecordMap& Records() {
  static const pointindex::RecordMap records = MakeRecords();
  return records;
}

}  // namespace

std::vector<std::string> MakeFuzzSeeds() {
  std::vector<std::string> seeds;
  for (const pointindex::BuilderOptions& options : pointindex::kAllLayouts) {
    seeds.push_back(pointindex::BuildSection(Records().Records(), options).value());
  }
  return seeds;
}

namespace {

void Read(std::string section) {
  if (section.size() < pointindex::kCrcBytes) return;
  const pointindex::SectionPlace& place = pointindex::kPlace;
  const std::string_view covered(section.data(), section.size() - pointindex::kCrcBytes);
  base::StoreLittle(section.data() + covered.size(),
                    base::PlacedCrc32(place.file_number, place.offset, covered));
  const std::vector<pointindex::Record> records = Records().Records();
  const auto index = pointindex::OpenSection(section, records);
  if (!index.ok()) {
    CHECK(absl::IsDataLoss(index.status()) || absl::IsUnimplemented(index.status()));
    return;
  }
  for (const pointindex::Record& record : records) {
    const std::string key(record.key);
    for (const base::Sequence at : {record.sequence - 1, record.sequence, base::kSequenceMax}) {
      CHECK((*index)->Find(key, record.hash, at) == Records().Find(key, at));
    }
    const std::string absent = key + "0";
    const auto found = (*index)->Find(absent, pointindex::KeyHash(absent), base::kSequenceMax);
    CHECK(found == Records().Find(absent, base::kSequenceMax));
  }
}

}  // namespace
}  // namespace kiban::suites

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kiban::suites::Read({reinterpret_cast<const char*>(data), size});
  return 0;
}
