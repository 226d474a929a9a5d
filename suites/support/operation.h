// One call of a workload, as a value with a text form. Operations are explicit: a case replays
// without the generator that drew it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/support/engine_under_test.h"

namespace kiban::suites {

enum class OpKind : uint8_t {
  kPut,
  kDelete,
  kBatch,
  kGet,
  kScan,
  kLatest,
  kSnapshot,
  kRelease,
  kSync,
  kFlush,
  kCompact,
  kReopen,
  kCursor,
};

struct BatchItem {
  std::string key;
  std::optional<uint32_t> value_bytes;  // nullopt deletes.
  friend bool operator==(const BatchItem&, const BatchItem&) = default;
};

enum class MoveKind : uint8_t { kFirst, kLast, kSeek, kSeekForPrev, kNext, kPrev };

struct CursorMove {
  MoveKind kind;
  std::string key;  // kSeek and kSeekForPrev.
  friend bool operator==(const CursorMove&, const CursorMove&) = default;
};

struct Operation {
  uint32_t id = 0;  // From 1, unique and ascending in a life; values carry it, so that equal states
                    // cannot hide each other.
  // Whose it is, from 1; 0 where there is one client, and of a reopen, before which all have ended.
  uint32_t client = 0;
  OpKind kind = OpKind::kGet;
  std::string key;  // put, delete, get; latest: the prefix; scan, cursor: the lower bound.
  std::optional<std::string> to;                  // scan, cursor: the upper bound.
  uint32_t value_bytes = 0;                       // put.
  Durability durability = Durability::kUnsynced;  // put, delete, batch.
  Direction direction = Direction::kForward;      // scan.
  uint32_t limit = 0;                             // scan, latest.
  uint32_t snapshot =
      0;  // Reads: the id of the kSnapshot operation to read at, 0 for now. kRelease: which.
  std::vector<BatchItem> batch;   // batch; at least one.
  std::vector<CursorMove> moves;  // cursor.
  EngineOptions options;          // reopen: the options from here on.
  // reopen: the handle is closed while clients are in the midst of their calls. Otherwise all
  // clients have come to this place.
  bool abrupt = false;
  friend bool operator==(const Operation&, const Operation&) = default;
};

inline constexpr uint32_t kClientsMax = 64;

// Of one put, and of all puts of a batch: what a text may ask to be made in memory.
inline constexpr uint32_t kValueBytesMax = 16u << 20;

// The value that operation `id` writes as its `index`-th item: begins with both numbers, then a
// pattern. Shorter than its head, it is cut off (0 gives the empty value).
std::string ValueOf(uint32_t id, uint32_t index, uint32_t value_bytes);

// One line, without a newline; keys are written as in text_reader.h:
//
//   12 put "k07" 100 sync                             18 snapshot
//   13 delete "k07"                                   19 release 18
//   14 batch put "a" 10 delete "b" sync               20 sync
//   15 get "k07" at 18                                21 flush
//   16 scan "a" to "b" reverse limit 10 at 18         22 compact
//   17 latest "k" limit 5                             23 reopen block_bytes=256
//   write_buffer_bytes=512 24 cursor "a" to "b" at 18 moves first next seek "a1" seek-for-prev "a2"
//   prev last
//
// `reopen abrupt ...` does not wait for the clients. Where there are several, ` by N` follows the
// id: `12 by 3 put "k07" 100 sync`. `sync`, `to` and `at` may be missing. A move next or prev off
// an end is passed over.
void AppendText(std::string& to, const Operation& operation);
// kInvalidArgument that says what is wrong and what was expected; kUnimplemented if it is a kind of
// operation that is not known here.
absl::StatusOr<Operation> ParseOperation(std::string_view line);

// name=value pairs separated by blanks, in order of names; empty for none.
std::string FormatOptions(const EngineOptions& options);
absl::StatusOr<EngineOptions> ParseOptions(std::string_view text);

}  // namespace kiban::suites
