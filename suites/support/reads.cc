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
#include "engine/base/hash.h"
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

std::optional<KeyValue> StandOf(const CursorUnderTest& cursor) {
  if (!cursor.Valid()) return std::nullopt;
  return KeyValue{std::string(cursor.key()), std::string(cursor.value())};
}

bool IsStep(const CursorMove& move) {
  return move.kind == MoveKind::kNext || move.kind == MoveKind::kPrev;
}

absl::Status WalkCursor(EngineUnderTest& engine, const Operation& operation,
                        const SnapshotUnderTest* snapshot, WhatWasRead& read) {
  const auto cursor = engine.NewCursor({operation.key, operation.to}, snapshot);
  if (cursor == nullptr) return absl::UnimplementedError("a cursor is promised and not given");
  read.at = cursor->sequence();
  for (const CursorMove& move : operation.moves) {
    const bool stands = !read.stands.empty() && read.stands.back().has_value();
    if (stands || !IsStep(move)) {
      Apply(*cursor, move);
      RETURN_IF_ERROR(cursor->status());
    }
    read.stands.push_back(StandOf(*cursor));
  }
  return absl::OkStatus();
}

Judgement JudgeCursor(const Operation& operation, const WhatWasRead& read, const Contents& state) {
  const std::vector<KeyValue> pairs =
      Expected(state, {operation.key, operation.to}, Direction::kForward, UINT64_MAX);
  const auto shown = [](const std::optional<KeyValue>& stand) {
    return stand.has_value() ? Shown(stand->key) : std::string("no key");
  };
  size_t at = pairs.size();
  for (size_t i = 0; i < operation.moves.size(); ++i) {
    const CursorMove& move = operation.moves[i];
    if (at != pairs.size() || !IsStep(move)) at = Move(pairs, at, move);
    std::optional<KeyValue> expected;
    if (at < pairs.size()) expected = pairs[at];
    if (read.stands[i] == expected) continue;
    return models::Complaint{.kind = "wrong cursor position",
                             .detail = absl::StrCat("move ", i + 1, ": at ", shown(read.stands[i]),
                                                    ", expected ", shown(expected))};
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<WhatWasRead> ReadFrom(EngineUnderTest& engine, const Operation& operation,
                                     const SnapshotUnderTest* snapshot) {
  WhatWasRead read;
  switch (operation.kind) {
    case OpKind::kGet: {
      ASSIGN_OR_RETURN(read.value, engine.Get(operation.key, snapshot, &read.at));
      return read;
    }
    case OpKind::kScan: {
      ASSIGN_OR_RETURN(read.pairs, engine.Scan({operation.key, operation.to}, operation.direction,
                                               operation.limit, snapshot, &read.at));
      return read;
    }
    case OpKind::kLatest: {
      ASSIGN_OR_RETURN(read.pairs,
                       engine.LatestK(operation.key, operation.limit, snapshot, &read.at));
      return read;
    }
    case OpKind::kCursor:
      RETURN_IF_ERROR(WalkCursor(engine, operation, snapshot, read));
      return read;
    default:
      CHECK(false);
  }
}

uint64_t HashOf(const WhatWasRead& read) {
  uint64_t hash = read.value.has_value() ? base::Hash64(*read.value) : 0;
  const auto add = [&hash](const KeyValue& pair) {
    hash = base::Hash64(pair.value, base::Hash64(pair.key, hash));
  };
  for (const KeyValue& pair : read.pairs) add(pair);
  for (const std::optional<KeyValue>& stand : read.stands) {
    add(stand.has_value() ? *stand : KeyValue{});
  }
  return hash;
}

std::string Describe(const WhatWasRead& read) {
  if (read.value.has_value()) return absl::StrCat(read.value->size(), " bytes");
  if (!read.stands.empty()) return absl::StrCat(read.stands.size(), " moves");
  return read.pairs.empty() ? "nothing" : absl::StrCat(read.pairs.size(), " pairs");
}

Judgement JudgeRead(const Operation& operation, const WhatWasRead& read, Sequence at,
                    const models::KvModel& model) {
  if (operation.kind == OpKind::kGet) return model.CheckGet(operation.key, at, read.value);
  const bool is_newest = at == model.last_sequence();
  const Contents old = is_newest ? Contents{} : model.StateAt(at);
  const Contents& state = is_newest ? model.Present() : old;
  if (operation.kind == OpKind::kCursor) return JudgeCursor(operation, read, state);
  if (operation.kind == OpKind::kScan) {
    const Range range{operation.key, operation.to};
    return ComparePairs(read.pairs, Expected(state, range, operation.direction, operation.limit),
                        "scan");
  }
  CHECK(operation.kind == OpKind::kLatest);
  const Range range = PrefixRange(operation.key);
  return ComparePairs(read.pairs, Expected(state, range, Direction::kReverse, operation.limit),
                      "latest-K");
}

}  // namespace kiban::suites
