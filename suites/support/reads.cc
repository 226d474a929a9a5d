#include "suites/support/reads.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

using models::Contents;
using models::Judgement;

std::string Shown(std::string_view text) {
  return absl::StrCat("\"", absl::CHexEscape(base::ToAbsl(text.substr(0, 40))), "\" (", text.size(),
                      " bytes)");
}

// Pairs of `state` in [from, to), in the direction's order.
std::vector<KeyValue> Expected(const Contents& state, const Range& range, Direction direction,
                               uint64_t limit) {
  std::vector<KeyValue> pairs;
  if (range.to.has_value() && *range.to <= range.from) return pairs;
  const auto first = state.lower_bound(range.from);
  const auto last = range.to.has_value() ? state.lower_bound(*range.to) : state.end();
  for (auto at = first; at != last; ++at) pairs.push_back({at->first, at->second});
  if (direction == Direction::kReverse) std::reverse(pairs.begin(), pairs.end());
  if (pairs.size() > limit) pairs.resize(limit);
  return pairs;
}

Judgement ComparePairs(const std::vector<KeyValue>& got, const std::vector<KeyValue>& expected,
                       std::string_view what) {
  if (got == expected) return std::nullopt;
  size_t at = 0;
  while (at < got.size() && at < expected.size() && got[at] == expected[at]) ++at;
  const auto side = [at](const std::vector<KeyValue>& pairs) {
    return at < pairs.size() ? absl::StrCat(Shown(pairs[at].key), " = ", Shown(pairs[at].value))
                             : std::string("the end");
  };
  return models::Complaint{
      .kind = absl::StrCat("wrong ", base::ToAbsl(what)),
      .detail = absl::StrCat("pair ", at, ": got ", side(got), ", expected ", side(expected))};
}

// The least range that holds every key with the prefix.
Range PrefixRange(const std::string& prefix) {
  Range range{.from = prefix, .to = prefix};
  while (!range.to->empty() && range.to->back() == '\xff') range.to->pop_back();
  if (range.to->empty()) {
    range.to.reset();
  } else {
    range.to->back() = static_cast<char>(static_cast<unsigned char>(range.to->back()) + 1);
  }
  return range;
}

// Where a cursor over `pairs` must stand after a move; pairs.size() stands for "not valid".
size_t Move(const std::vector<KeyValue>& pairs, size_t at, const CursorMove& move) {
  const size_t none = pairs.size();
  const auto key_less = [](const KeyValue& pair, const std::string& key) { return pair.key < key; };
  switch (move.kind) {
    case MoveKind::kFirst:
      return 0;
    case MoveKind::kLast:
      return pairs.empty() ? none : none - 1;
    case MoveKind::kNext:
      return at + 1;
    case MoveKind::kPrev:
      return at == 0 ? none : at - 1;
    case MoveKind::kSeek:
    case MoveKind::kSeekForPrev:
      break;
  }
  const auto found = std::lower_bound(pairs.begin(), pairs.end(), move.key, key_less);
  const size_t first = static_cast<size_t>(found - pairs.begin());
  if (move.kind == MoveKind::kSeek) return first;
  if (first < none && pairs[first].key == move.key) return first;
  return first == 0 ? none : first - 1;
}

void Apply(CursorUnderTest& cursor, const CursorMove& move) {
  switch (move.kind) {
    case MoveKind::kFirst:
      return cursor.SeekToFirst();
    case MoveKind::kLast:
      return cursor.SeekToLast();
    case MoveKind::kSeek:
      return cursor.Seek(move.key);
    case MoveKind::kSeekForPrev:
      return cursor.SeekForPrev(move.key);
    case MoveKind::kNext:
      return cursor.Next();
    case MoveKind::kPrev:
      return cursor.Prev();
  }
}

absl::StatusOr<Judgement> WalkCursor(EngineUnderTest& engine, const Operation& operation,
                                     const SnapshotUnderTest* snapshot, const Contents& state) {
  const Range range{operation.key, operation.to};
  const std::vector<KeyValue> pairs = Expected(state, range, Direction::kForward, UINT64_MAX);
  const std::unique_ptr<CursorUnderTest> cursor = engine.NewCursor(range, snapshot);
  if (cursor == nullptr) {
    return Judgement(models::Complaint{.kind = "promised and not given", .detail = "a cursor"});
  }
  size_t at = pairs.size();
  size_t number = 0;
  for (const CursorMove& move : operation.moves) {
    ++number;
    const bool steps = move.kind == MoveKind::kNext || move.kind == MoveKind::kPrev;
    if (steps && at == pairs.size()) continue;  // A step needs a valid cursor.
    Apply(*cursor, move);
    RETURN_IF_ERROR(cursor->status());
    at = Move(pairs, at, move);
    const bool expected = at < pairs.size();
    if (cursor->Valid() == expected &&
        (!expected || (cursor->key() == pairs[at].key && cursor->value() == pairs[at].value))) {
      continue;
    }
    return Judgement(models::Complaint{
        .kind = "wrong cursor position",
        .detail =
            absl::StrCat("move ", number, ": at ",
                         cursor->Valid() ? Shown(cursor->key()) : std::string("no key"),
                         ", expected ", expected ? Shown(pairs[at].key) : std::string("no key"))});
  }
  return Judgement();
}

}  // namespace

absl::StatusOr<Judgement> ReadAndJudge(EngineUnderTest& engine, const Operation& operation,
                                       const SnapshotUnderTest* snapshot, Sequence at,
                                       const models::KvModel& model) {
  if (operation.kind == OpKind::kGet) {
    ASSIGN_OR_RETURN(const std::optional<std::string> got, engine.Get(operation.key, snapshot));
    return model.CheckGet(operation.key, at, got);
  }
  const Contents old = snapshot == nullptr ? Contents{} : model.StateAt(at);
  const Contents& state = snapshot == nullptr ? model.Present() : old;
  if (operation.kind == OpKind::kCursor) return WalkCursor(engine, operation, snapshot, state);
  if (operation.kind == OpKind::kScan) {
    const Range range{operation.key, operation.to};
    ASSIGN_OR_RETURN(const std::vector<KeyValue> got,
                     engine.Scan(range, operation.direction, operation.limit, snapshot));
    return ComparePairs(got, Expected(state, range, operation.direction, operation.limit), "scan");
  }
  CHECK(operation.kind == OpKind::kLatest);
  ASSIGN_OR_RETURN(const std::vector<KeyValue> got,
                   engine.LatestK(operation.key, operation.limit, snapshot));
  return ComparePairs(
      got, Expected(state, PrefixRange(operation.key), Direction::kReverse, operation.limit),
      "latest-K");
}

}  // namespace kiban::suites
