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
};

enum class MoveKind : uint8_t { kFirst, kLast, kSeek, kSeekForPrev, kNext, kPrev };

struct CursorMove {
  MoveKind kind;
  std::string key;  // kSeek and kSeekForPrev.
};

struct Operation {
  uint32_t id = 0;  // From 1, unique and ascending in a life; values carry it, so that equal states
                    // cannot hide each other.
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
};

// The value that operation `id` writes as its `index`-th item: begins with both numbers, then a
// pattern. Shorter than its head, it is cut off (0 gives the empty value).
std::string ValueOf(uint32_t id, uint32_t index, uint32_t value_bytes);

// One line, without a newline: `12 put "k07" 100 sync`. Keys are quoted with \xNN for what is not
// printable; a key of more than 64 bytes that ends in a run of one byte is written
// `"k07"+'x'*90000`.
void AppendText(std::string& to, const Operation& operation);
// kInvalidArgument that says what is wrong and what was expected.
absl::StatusOr<Operation> ParseOperation(std::string_view line);

// name=value pairs separated by blanks, in order of names; empty for none.
std::string FormatOptions(const EngineOptions& options);
absl::StatusOr<EngineOptions> ParseOptions(std::string_view text);

}  // namespace kiban::suites
