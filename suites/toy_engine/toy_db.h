// A complete small engine: one log file, one ordered map. It shows what an engine must do to
// survive, and what it takes to plug one in (adapter.h); it is not for big data.
//
//   <dir>/LOCK        held while the database is open
//   <dir>/LOG         records, one after the other; the first holds a whole state
//   <dir>/LOG.new     a LOG in the making; worth nothing
//
//   record := crc32 u32, payload_bytes u32, payload      the crc covers offset, count and payload
//   payload := sequence u64 of its last operation, operation*
//   operation := kind u8 (1 put, 2 delete), counted key, counted value (put only)
//
// The log ends at its first invalid record: what follows was never synced, or a later record would
// be lost with it. A LOG whose first record is invalid is damaged, because a LOG gets its name only
// after it has been synced.
//
// Nothing is ever appended to a log that was found: an open writes the state it read as a new log
// and publishes it. That makes the state durable, and a torn tail cannot swallow later records.
//
// After a failed write, sync or rename the handle refuses to change anything more.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/env.h"

namespace kiban::suites::toy {

struct ToyWrite {
  std::string key;
  std::optional<std::string> value;  // nullopt deletes.
};

struct ToyOptions {
  // The log is written anew, without what is no longer true, once it is this long and twice as long
  // as it was when it was new.
  uint64_t rewrite_bytes = 64 << 10;
};

class ToyDb {
 public:
  using Contents = std::map<std::string, std::string, std::less<>>;

  ToyDb(const engine::Env& env, std::string dir, const ToyOptions& options);
  virtual ~ToyDb() = default;

  // First of all calls. Creates the database if there is none.
  absl::Status Open();
  // Applied whole or not at all. Returns the sequence of its first operation.
  absl::StatusOr<base::Sequence> Write(std::span<const ToyWrite> batch, bool sync);
  absl::Status Sync();
  // Writes the log anew; what is true afterwards is durable.
  absl::Status Rewrite();
  // Syncs nothing. No other call works afterwards.
  absl::Status Close();

  const Contents& contents() const { return contents_; }
  base::Sequence last_sequence() const { return last_sequence_; }
  uint64_t rewrites() const { return rewrites_; }

 protected:
  // The steps that durability rests on; planted_bugs.h gets one wrong each.

  // Makes what was appended to the log durable.
  virtual absl::Status SyncLog();
  // Goes on from the log that was found and read; `log` is null in a new database.
  virtual absl::Status Adopt(std::unique_ptr<engine::File> log);
  // Gives the complete new log its name.
  virtual absl::Status Publish(engine::File& fresh);

  absl::Status WriteNewLog();
  engine::FileSystem& files() { return *files_; }
  std::string PathOf(std::string_view name) const;

  const std::string dir_;
  std::unique_ptr<engine::File> log_;
  uint64_t log_bytes_ = 0;

 private:
  absl::Status MakeDirDurably();
  absl::StatusOr<std::unique_ptr<engine::File>> ReadLog();
  absl::Status Replay(std::string_view log);
  absl::Status Apply(std::string_view payload);
  absl::Status Poison(absl::Status status);
  absl::Status CheckUsable() const;

  engine::FileSystem* const files_;
  const ToyOptions options_;
  std::unique_ptr<engine::FileLock> lock_;
  uint64_t new_log_bytes_ = 0;  // Of the log when it was new.
  Contents contents_;
  base::Sequence last_sequence_ = 0;
  uint64_t rewrites_ = 0;
  absl::Status broken_ = absl::FailedPreconditionError("not open");
};

}  // namespace kiban::suites::toy
