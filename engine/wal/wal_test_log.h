// A log segment for tests, in memory: every byte of a payload counts as one operation.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/read_file.h"
#include "engine/memory/memory_env.h"
#include "engine/wal/reader.h"
#include "engine/wal/writer.h"

namespace kiban::wal {

inline constexpr uint64_t kSegment = 7;

// What a replay showed.
struct Replayed {
  absl::Status status;
  ReplayResult result;
  std::vector<std::string> payloads;
};

class TestLog {
 public:
  explicit TestLog(base::Sequence first_sequence = 1)
      : next_(first_sequence), durable_through_(first_sequence - 1) {
    writer_ = Writer::Create(*env_->env().files, "log", kSegment, first_sequence).value();
    ends_.push_back(writer_->size_bytes());
  }

  void Append(std::string payload) {
    CHECK(writer_->Append(next_, durable_through_, payload).ok());
    next_ += payload.size();
    payloads_.push_back(std::move(payload));
    ends_.push_back(writer_->size_bytes());
  }
  // From here on records say that all before them is durable.
  void Sync() {
    CHECK(writer_->Sync().ok());
    durable_through_ = next_ - 1;
    synced_bytes_ = writer_->size_bytes();
  }

  std::string bytes() const { return base::ReadWholeFile(*env_->env().files, "log").value(); }
  const std::vector<std::string>& payloads() const { return payloads_; }
  // Where the header ends, then where each record ends.
  const std::vector<uint64_t>& ends() const { return ends_; }
  uint64_t synced_bytes() const { return synced_bytes_; }
  base::Sequence next() const { return next_; }

 private:
  std::unique_ptr<memory::MemoryEnv> env_ = std::make_unique<memory::MemoryEnv>();
  std::unique_ptr<Writer> writer_;
  base::Sequence next_;
  base::Sequence durable_through_;
  uint64_t synced_bytes_ = 0;
  std::vector<std::string> payloads_;
  std::vector<uint64_t> ends_;
};

// Replays a file of these bytes.
inline Replayed ReplayBytes(std::string_view bytes, TailRule tail, uint64_t segment_id = kSegment) {
  memory::MemoryEnv env;
  engine::FileSystem& files = *env.env().files;
  CHECK(
      files.Open("log", engine::OpenMode::kMustCreate).value()->Append(base::AsBytes(bytes)).ok());
  Replayed replayed;
  const auto visit = [&](const Record& record) -> absl::StatusOr<base::Sequence> {
    replayed.payloads.emplace_back(record.payload);
    return record.first_sequence + record.payload.size();
  };
  absl::StatusOr<ReplayResult> result = Replay(files, "log", segment_id, tail, visit);
  replayed.status = result.status();
  if (result.ok()) replayed.result = *result;
  return replayed;
}

inline std::vector<std::string> FirstOf(const std::vector<std::string>& payloads, size_t count) {
  return {payloads.begin(), payloads.begin() + static_cast<ptrdiff_t>(count)};
}

}  // namespace kiban::wal
