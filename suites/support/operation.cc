#include "suites/support/operation.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "suites/support/text_reader.h"

namespace kiban::suites {
namespace {

constexpr uint32_t kNumberMax = std::numeric_limits<uint32_t>::max();

std::string_view Name(OpKind kind) {
  switch (kind) {
    case OpKind::kPut:
      return "put";
    case OpKind::kDelete:
      return "delete";
    case OpKind::kBatch:
      return "batch";
    case OpKind::kGet:
      return "get";
    case OpKind::kScan:
      return "scan";
    case OpKind::kLatest:
      return "latest";
    case OpKind::kSnapshot:
      return "snapshot";
    case OpKind::kRelease:
      return "release";
    case OpKind::kSync:
      return "sync";
    case OpKind::kFlush:
      return "flush";
    case OpKind::kCompact:
      return "compact";
    case OpKind::kReopen:
      return "reopen";
    case OpKind::kCursor:
      return "cursor";
  }
  CHECK(false);
}

std::string_view Name(MoveKind kind) {
  switch (kind) {
    case MoveKind::kFirst:
      return "first";
    case MoveKind::kLast:
      return "last";
    case MoveKind::kSeek:
      return "seek";
    case MoveKind::kSeekForPrev:
      return "seek-for-prev";
    case MoveKind::kNext:
      return "next";
    case MoveKind::kPrev:
      return "prev";
  }
  CHECK(false);
}

bool IsMutation(OpKind kind) {
  return kind == OpKind::kPut || kind == OpKind::kDelete || kind == OpKind::kBatch;
}

bool HasKey(MoveKind kind) { return kind == MoveKind::kSeek || kind == MoveKind::kSeekForPrev; }

// The one of the enumerators up to `last` that has this name.
template <typename Kind>
std::optional<Kind> FindKind(std::string_view name, Kind last) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (Name(static_cast<Kind>(i)) == name) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

void AppendNumber(std::string& to, uint64_t number) {
  to += ' ';
  to += std::to_string(number);
}

void AppendRange(std::string& to, const Operation& operation) {
  to += ' ';
  AppendKey(to, operation.key);
  if (!operation.to.has_value()) return;
  to += " to ";
  AppendKey(to, *operation.to);
}

void AppendWrite(std::string& to, std::string_view key, std::optional<uint32_t> value_bytes) {
  to += ' ';
  AppendKey(to, key);
  if (value_bytes.has_value()) AppendNumber(to, *value_bytes);
}

void AppendLimit(std::string& to, const Operation& operation) {
  to += " limit";
  AppendNumber(to, operation.limit);
}

void AppendSnapshot(std::string& to, const Operation& operation) {
  if (operation.snapshot == 0) return;
  to += " at";
  AppendNumber(to, operation.snapshot);
}

void AppendMoves(std::string& to, const Operation& operation) {
  to += " moves";
  for (const CursorMove& move : operation.moves) {
    to += ' ';
    to += Name(move.kind);
    if (!HasKey(move.kind)) continue;
    to += ' ';
    AppendKey(to, move.key);
  }
}

absl::Status ParseValueBytes(TextReader& reader, uint32_t& value_bytes) {
  ASSIGN_OR_RETURN(const uint64_t bytes, reader.Number("a value's length", 0, kValueBytesMax));
  value_bytes = static_cast<uint32_t>(bytes);
  return absl::OkStatus();
}

absl::Status ParseLimit(TextReader& reader, Operation& operation) {
  if (!reader.TakeWord("limit")) return reader.Expected("limit");
  ASSIGN_OR_RETURN(const uint64_t limit, reader.Number("a count", 0, kNumberMax));
  operation.limit = static_cast<uint32_t>(limit);
  return absl::OkStatus();
}

absl::Status ParseSnapshot(TextReader& reader, Operation& operation) {
  if (!reader.TakeWord("at")) return absl::OkStatus();
  ASSIGN_OR_RETURN(const uint64_t id, reader.Number("a snapshot operation's id", 1, kNumberMax));
  operation.snapshot = static_cast<uint32_t>(id);
  return absl::OkStatus();
}

absl::Status ParseRange(TextReader& reader, Operation& operation) {
  ASSIGN_OR_RETURN(operation.key, reader.Key());
  if (!reader.TakeWord("to")) return absl::OkStatus();
  ASSIGN_OR_RETURN(operation.to, reader.Key());
  return absl::OkStatus();
}

absl::Status ParseBatch(TextReader& reader, Operation& operation) {
  size_t value_bytes_total = 0;
  while (true) {
    const bool is_put = reader.TakeWord("put");
    if (!is_put && !reader.TakeWord("delete")) break;
    BatchItem item;
    ASSIGN_OR_RETURN(item.key, reader.Key());
    if (is_put) RETURN_IF_ERROR(ParseValueBytes(reader, item.value_bytes.emplace()));
    value_bytes_total += item.value_bytes.value_or(0);
    if (value_bytes_total > kValueBytesMax) {
      return reader.Expected("values of at most " + std::to_string(kValueBytesMax) +
                             " bytes in one batch before this");
    }
    operation.batch.push_back(std::move(item));
  }
  if (operation.batch.empty()) return reader.Expected("put or delete");
  return absl::OkStatus();
}

absl::Status ParseScan(TextReader& reader, Operation& operation) {
  RETURN_IF_ERROR(ParseRange(reader, operation));
  if (reader.TakeWord("reverse")) {
    operation.direction = Direction::kReverse;
  } else if (!reader.TakeWord("forward")) {
    return reader.Expected("to, forward or reverse");
  }
  RETURN_IF_ERROR(ParseLimit(reader, operation));
  return ParseSnapshot(reader, operation);
}

absl::Status ParseCursor(TextReader& reader, Operation& operation) {
  RETURN_IF_ERROR(ParseRange(reader, operation));
  RETURN_IF_ERROR(ParseSnapshot(reader, operation));
  if (!reader.TakeWord("moves")) return reader.Expected("to, at or moves");
  while (!reader.AtEnd()) {
    const std::string_view name = reader.PeekWord();
    const std::optional<MoveKind> kind = FindKind(name, MoveKind::kPrev);
    if (!kind.has_value()) {
      return reader.Expected("first, last, seek, seek-for-prev, next or prev");
    }
    reader.TakeWord(name);
    CursorMove move{*kind, {}};
    if (HasKey(*kind)) {
      ASSIGN_OR_RETURN(move.key, reader.Key());
    }
    operation.moves.push_back(std::move(move));
  }
  return absl::OkStatus();
}

// All that is left of the line.
absl::Status TakeOptions(TextReader& reader, EngineOptions& options) {
  constexpr std::string_view kExpected = "an option as in write_buffer_bytes=2048";
  while (!reader.AtEnd()) {
    const std::string_view word = reader.PeekWord();
    const size_t equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos) return reader.Expected(kExpected);
    TextReader value(word.substr(equals + 1));
    const auto number = value.Number("a number", 0, UINT64_MAX);
    if (!number.ok()) return reader.Expected(kExpected);
    if (!options.emplace(std::string(word.substr(0, equals)), *number).second) {
      return reader.Expected("each option once");
    }
    reader.TakeWord(word);
  }
  return absl::OkStatus();
}

absl::Status ParseArguments(TextReader& reader, Operation& operation) {
  switch (operation.kind) {
    case OpKind::kPut: {
      ASSIGN_OR_RETURN(operation.key, reader.Key());
      return ParseValueBytes(reader, operation.value_bytes);
    }
    case OpKind::kDelete: {
      ASSIGN_OR_RETURN(operation.key, reader.Key());
      return absl::OkStatus();
    }
    case OpKind::kBatch:
      return ParseBatch(reader, operation);
    case OpKind::kGet: {
      ASSIGN_OR_RETURN(operation.key, reader.Key());
      return ParseSnapshot(reader, operation);
    }
    case OpKind::kScan:
      return ParseScan(reader, operation);
    case OpKind::kLatest: {
      ASSIGN_OR_RETURN(operation.key, reader.Key());
      RETURN_IF_ERROR(ParseLimit(reader, operation));
      return ParseSnapshot(reader, operation);
    }
    case OpKind::kRelease: {
      ASSIGN_OR_RETURN(const uint64_t id,
                       reader.Number("a snapshot operation's id", 1, kNumberMax));
      operation.snapshot = static_cast<uint32_t>(id);
      return absl::OkStatus();
    }
    case OpKind::kReopen:
      operation.abrupt = reader.TakeWord("abrupt");
      return TakeOptions(reader, operation.options);
    case OpKind::kCursor:
      return ParseCursor(reader, operation);
    case OpKind::kSnapshot:
    case OpKind::kSync:
    case OpKind::kFlush:
    case OpKind::kCompact:
      return absl::OkStatus();
  }
  CHECK(false);
}

void AppendArguments(std::string& to, const Operation& operation) {
  switch (operation.kind) {
    case OpKind::kPut:
      AppendWrite(to, operation.key, operation.value_bytes);
      return;
    case OpKind::kDelete:
      AppendWrite(to, operation.key, std::nullopt);
      return;
    case OpKind::kBatch:
      for (const BatchItem& item : operation.batch) {
        to += item.value_bytes.has_value() ? " put" : " delete";
        AppendWrite(to, item.key, item.value_bytes);
      }
      return;
    case OpKind::kGet:
      to += ' ';
      AppendKey(to, operation.key);
      return AppendSnapshot(to, operation);
    case OpKind::kScan:
      AppendRange(to, operation);
      to += operation.direction == Direction::kForward ? " forward" : " reverse";
      AppendLimit(to, operation);
      return AppendSnapshot(to, operation);
    case OpKind::kLatest:
      to += ' ';
      AppendKey(to, operation.key);
      AppendLimit(to, operation);
      return AppendSnapshot(to, operation);
    case OpKind::kRelease:
      AppendNumber(to, operation.snapshot);
      return;
    case OpKind::kReopen:
      if (operation.abrupt) to += " abrupt";
      if (!operation.options.empty()) to += ' ' + FormatOptions(operation.options);
      return;
    case OpKind::kCursor:
      AppendRange(to, operation);
      AppendSnapshot(to, operation);
      return AppendMoves(to, operation);
    case OpKind::kSnapshot:
    case OpKind::kSync:
    case OpKind::kFlush:
    case OpKind::kCompact:
      return;
  }
  CHECK(false);
}

}  // namespace

std::string ValueOf(uint32_t id, uint32_t index, uint32_t value_bytes) {
  std::string value = std::to_string(id) + '.' + std::to_string(index) + ':';
  value.reserve(std::max<size_t>(value.size(), value_bytes) + sizeof(uint64_t));
  const uint64_t key = base::Mix64(uint64_t{id} << 32 | index);
  for (uint64_t i = 0; value.size() < value_bytes; ++i) {
    base::AppendLittle(value, base::Mix64(key + i));
  }
  value.resize(value_bytes);
  return value;
}

void AppendText(std::string& to, const Operation& operation) {
  to += std::to_string(operation.id);
  if (operation.client != 0) to += " by " + std::to_string(operation.client);
  to += ' ';
  to += Name(operation.kind);
  AppendArguments(to, operation);
  if (IsMutation(operation.kind) && operation.durability == Durability::kSynced) to += " sync";
}

absl::StatusOr<Operation> ParseOperation(std::string_view line) {
  TextReader reader(line);
  Operation operation;
  ASSIGN_OR_RETURN(const uint64_t id, reader.Number("an operation's id", 1, kNumberMax));
  operation.id = static_cast<uint32_t>(id);
  if (reader.TakeWord("by")) {
    ASSIGN_OR_RETURN(const uint64_t client, reader.Number("a client's number", 1, kClientsMax));
    operation.client = static_cast<uint32_t>(client);
  }
  const std::string_view name = reader.PeekWord();
  const std::optional<OpKind> kind = FindKind(name, OpKind::kCursor);
  if (!kind.has_value()) {
    const absl::Status unknown = reader.Expected(
        "put, delete, batch, get, scan, latest, snapshot, release, sync, flush, compact, reopen or "
        "cursor");
    return name.empty() ? unknown : absl::UnimplementedError(unknown.message());
  }
  reader.TakeWord(name);
  operation.kind = *kind;
  RETURN_IF_ERROR(ParseArguments(reader, operation));
  if (IsMutation(*kind) && reader.TakeWord("sync")) operation.durability = Durability::kSynced;
  if (!reader.AtEnd()) return reader.Expected("the end of the line");
  return operation;
}

std::string FormatOptions(const EngineOptions& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    if (!text.empty()) text += ' ';
    text += name + '=' + std::to_string(value);
  }
  return text;
}

absl::StatusOr<EngineOptions> ParseOptions(std::string_view text) {
  TextReader reader(text);
  EngineOptions options;
  RETURN_IF_ERROR(TakeOptions(reader, options));
  return options;
}

}  // namespace kiban::suites
