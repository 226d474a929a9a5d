// A log whose checksums hold is read in order from its beginning, and a log that is whole reads the
// same under either rule for its tail. A record whose checksum is zero keeps it: a hole.
#include <cstddef>
#include <cstdint>

#include "engine/base/check.h"
#include "engine/wal/format.h"
#include "engine/wal/wal_test_log.h"
#include "suites/formats/fuzz_seeds.h"
#include "suites/formats/seal.h"

namespace kiban::suites {

std::vector<std::string> MakeFuzzSeeds() {
  wal::TestLog log(41);
  std::vector<std::string> seeds = {log.bytes()};
  for (const char* const payload : {"a", "bbbbbbbb", "cc", "ddddddddddddddddddddddd"}) {
    log.Append(payload);
    seeds.push_back(log.bytes());
    if (*payload == 'b') log.Sync();
  }
  return seeds;
}

namespace {

void SealRecords(std::string& log) {
  size_t at = wal::kHeaderBytes;
  while (at + wal::kRecordHeadBytes <= log.size()) {
    if (LoadNumber(log, at, 4) != 0) SealRecord(log, wal::kSegment, at);
    at += wal::FrameBytes(LoadNumber(log, at + 4, 4));
  }
}

void Read(std::string log) {
  SealLogHeader(log, wal::kSegment);
  SealRecords(log);
  const wal::Replayed torn = wal::ReplayBytes(log, wal::TailRule::kMayBeTorn);
  const wal::Replayed whole = wal::ReplayBytes(log, wal::TailRule::kWhole);
  for (const wal::Replayed& replayed : {torn, whole}) {
    const absl::Status& status = replayed.status;
    CHECK(status.ok() || absl::IsDataLoss(status) || absl::IsUnimplemented(status));
  }
  if (torn.status.ok()) CHECK(torn.result.end_offset + torn.result.dropped_bytes <= log.size());
  if (!whole.status.ok()) return;
  CHECK(torn.status.ok());
  CHECK(torn.payloads == whole.payloads);
  CHECK(whole.result.end_offset == log.size());
}

}  // namespace
}  // namespace kiban::suites

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kiban::suites::Read({reinterpret_cast<const char*>(data), size});
  return 0;
}
