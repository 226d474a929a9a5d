#include "tools/golden/text.h"

#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_util.h"
#include "engine/wal/format.h"
#include "suites/support/text_reader.h"

namespace kiban::tools {
namespace {

using suites::TextReader;

std::string Quoted(std::string_view bytes) {
  std::string text;
  suites::AppendKey(text, bytes);
  return text;
}

// A kind of line: its first word and what takes the rest.
struct LineKind {
  std::string_view word;
  std::function<absl::Status(TextReader&)> take;
};

// Hands each line to the kind that its first word names.
absl::Status TakeLines(std::string_view text, const std::vector<LineKind>& kinds) {
  size_t number = 0;
  for (const absl::string_view line : absl::StrSplit(base::ToAbsl(text), '\n')) {
    ++number;
    TextReader reader(base::ToStd(line));
    if (line.empty() || line.front() == '#') continue;
    absl::Status taken = reader.Expected("a known first word");
    for (const LineKind& kind : kinds) {
      if (!reader.TakeWord(kind.word)) continue;
      taken = kind.take(reader);
      if (taken.ok() && !reader.AtEnd()) taken = reader.Expected("the end of the line");
      break;
    }
    if (!taken.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("line ", number, ": ", taken.message()));
    }
  }
  return absl::OkStatus();
}

template <typename Int>
absl::Status TakeNumber(TextReader& reader, Int& to) {
  ASSIGN_OR_RETURN(const uint64_t number,
                   reader.Number("a number", 0, std::numeric_limits<Int>::max()));
  to = static_cast<Int>(number);
  return absl::OkStatus();
}

absl::Status TakeAnyWord(TextReader& reader, std::string& to) {
  to = reader.PeekWord();
  return reader.TakeWord(to) ? absl::OkStatus() : reader.Expected("a word");
}

// "block_bytes 64".
template <typename Int>
absl::Status TakeNamed(TextReader& reader, std::string_view name, Int& to) {
  if (!reader.TakeWord(name)) return reader.Expected(name);
  return TakeNumber(reader, to);
}

// KEY SEQUENCE [VALUE].
absl::Status TakeEntry(TextReader& reader, table::Kind kind, std::vector<GoldenEntry>& to) {
  GoldenEntry entry{.kind = kind};
  ASSIGN_OR_RETURN(entry.key, reader.Key());
  RETURN_IF_ERROR(TakeNumber(reader, entry.sequence));
  if (kind == table::Kind::kPut) {
    ASSIGN_OR_RETURN(entry.value, reader.Key());
  }
  to.push_back(std::move(entry));
  return absl::OkStatus();
}

absl::Status TakeTableInfo(TextReader& reader, lsm::Manifest& to) {
  lsm::TableInfo table;
  uint32_t level = 0;
  RETURN_IF_ERROR(TakeNumber(reader, table.number));
  RETURN_IF_ERROR(TakeNamed(reader, "level", level));
  RETURN_IF_ERROR(TakeNamed(reader, "bytes", table.size_bytes));
  RETURN_IF_ERROR(TakeNamed(reader, "entries", table.entry_count));
  RETURN_IF_ERROR(TakeNamed(reader, "from", table.smallest_sequence));
  RETURN_IF_ERROR(TakeNamed(reader, "to", table.largest_sequence));
  if (level >= to.levels.size()) return reader.Expected("a level");
  ASSIGN_OR_RETURN(table.smallest_key, reader.Key());
  ASSIGN_OR_RETURN(table.largest_key, reader.Key());
  to.levels[level].push_back(std::move(table));
  return absl::OkStatus();
}

}  // namespace

std::string KindOf(std::string_view text) {
  for (const absl::string_view line : absl::StrSplit(base::ToAbsl(text), '\n')) {
    if (line.empty() || line.front() == '#') continue;
    return std::string(TextReader(base::ToStd(line)).PeekWord());
  }
  return "";
}

std::string Shown(const GoldenEntry& entry) {
  const bool is_put = entry.kind == table::Kind::kPut;
  return absl::StrCat(is_put ? "put " : "delete ", Quoted(entry.key), " ", entry.sequence,
                      is_put ? absl::StrCat(" ", Quoted(entry.value)) : "");
}

std::string Format(const GoldenTable& table) {
  std::string text = absl::StrCat("table ", table.number, "\nshape block_bytes ", table.block_bytes,
                                  " restart_interval ", table.restart_interval,
                                  " filter_bits_per_key ", table.filter_bits_per_key, "\n");
  for (const GoldenEntry& entry : table.entries) absl::StrAppend(&text, Shown(entry), "\n");
  return text;
}

std::string Format(const GoldenLog& log) {
  std::string text =
      absl::StrCat("log ", log.number, "\nfirst_sequence ", log.first_sequence, "\n");
  for (const GoldenRecord& record : log.records) {
    absl::StrAppend(&text, "record ", record.offset, " durable_through ", record.durable_through,
                    "\n");
    for (const GoldenEntry& entry : record.operations) {
      absl::StrAppend(&text, "  ", Shown(entry), "\n");
    }
  }
  absl::StrAppend(&text, log.is_damaged ? "damaged\n" : "");
  if (log.dropped_bytes > 0) absl::StrAppend(&text, "dropped ", log.dropped_bytes, "\n");
  return text;
}

std::string Format(const lsm::Manifest& manifest) {
  std::string text =
      absl::StrCat("manifest\nmin_log ", manifest.min_log, "\nnext_file ", manifest.next_file,
                   "\nlast_sequence ", manifest.last_sequence, "\n");
  for (size_t level = 0; level < manifest.levels.size(); ++level) {
    for (const lsm::TableInfo& table : manifest.levels[level]) {
      absl::StrAppend(&text, "table ", table.number, " level ", level, " bytes ", table.size_bytes,
                      " entries ", table.entry_count, " from ", table.smallest_sequence, " to ",
                      table.largest_sequence, " ", Quoted(table.smallest_key), " ",
                      Quoted(table.largest_key), "\n");
    }
  }
  return text;
}

std::string Format(const GoldenDatabase& database) {
  std::string text = absl::StrCat("database\nlast_sequence ", database.last_sequence, "\n");
  for (const auto& [number, format] : database.tables) {
    absl::StrAppend(&text, "table ", number, " ", format, "\n");
  }
  for (const uint64_t number : database.logs) absl::StrAppend(&text, "log ", number, "\n");
  for (const std::string& name : database.leftovers) {
    absl::StrAppend(&text, "leftover ", name, "\n");
  }
  for (const auto& [key, value] : database.contents) {
    absl::StrAppend(&text, "put ", Quoted(key), " ", Quoted(value), "\n");
  }
  return text;
}

absl::StatusOr<GoldenTable> ParseTable(std::string_view text) {
  GoldenTable table;
  const auto take_shape = [&](TextReader& reader) {
    RETURN_IF_ERROR(TakeNamed(reader, "block_bytes", table.block_bytes));
    RETURN_IF_ERROR(TakeNamed(reader, "restart_interval", table.restart_interval));
    return TakeNamed(reader, "filter_bits_per_key", table.filter_bits_per_key);
  };
  RETURN_IF_ERROR(TakeLines(
      text,
      {{"table", [&](TextReader& reader) { return TakeNumber(reader, table.number); }},
       {"shape", take_shape},
       {"put",
        [&](TextReader& reader) { return TakeEntry(reader, table::Kind::kPut, table.entries); }},
       {"delete", [&](TextReader& reader) {
          return TakeEntry(reader, table::Kind::kDelete, table.entries);
        }}}));
  return table;
}

absl::StatusOr<GoldenLog> ParseLog(std::string_view text) {
  GoldenLog log;
  const auto take_record = [&](TextReader& reader) {
    GoldenRecord& record = log.records.emplace_back();
    RETURN_IF_ERROR(TakeNumber(reader, record.offset));
    return TakeNamed(reader, "durable_through", record.durable_through);
  };
  const auto take_operation = [&](table::Kind kind) {
    return [&log, kind](TextReader& reader) {
      if (log.records.empty()) return reader.Expected("a record before it");
      return TakeEntry(reader, kind, log.records.back().operations);
    };
  };
  const auto take_damaged = [&](TextReader&) {
    log.is_damaged = true;
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(TakeLines(
      text,
      {{"log", [&](TextReader& reader) { return TakeNumber(reader, log.number); }},
       {"first_sequence",
        [&](TextReader& reader) { return TakeNumber(reader, log.first_sequence); }},
       {"record", take_record},
       {"put", take_operation(table::Kind::kPut)},
       {"delete", take_operation(table::Kind::kDelete)},
       {"damaged", take_damaged},
       {"dropped", [&](TextReader& reader) { return TakeNumber(reader, log.dropped_bytes); }}}));
  return log;
}

absl::StatusOr<lsm::Manifest> ParseManifest(std::string_view text) {
  lsm::Manifest manifest;
  RETURN_IF_ERROR(TakeLines(
      text,
      {{"manifest", [](TextReader&) { return absl::OkStatus(); }},
       {"min_log", [&](TextReader& reader) { return TakeNumber(reader, manifest.min_log); }},
       {"next_file", [&](TextReader& reader) { return TakeNumber(reader, manifest.next_file); }},
       {"last_sequence",
        [&](TextReader& reader) { return TakeNumber(reader, manifest.last_sequence); }},
       {"table", [&](TextReader& reader) { return TakeTableInfo(reader, manifest); }}}));
  return manifest;
}

absl::StatusOr<GoldenDatabase> ParseDatabase(std::string_view text) {
  GoldenDatabase database;
  const auto take_table = [&](TextReader& reader) {
    uint64_t number = 0;
    RETURN_IF_ERROR(TakeNumber(reader, number));
    return TakeAnyWord(reader, database.tables[number]);
  };
  const auto take_leftover = [&](TextReader& reader) {
    return TakeAnyWord(reader, database.leftovers.emplace_back());
  };
  const auto take_put = [&](TextReader& reader) -> absl::Status {
    ASSIGN_OR_RETURN(std::string key, reader.Key());
    ASSIGN_OR_RETURN(database.contents[std::move(key)], reader.Key());
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(TakeLines(
      text, {{"database", [](TextReader&) { return absl::OkStatus(); }},
             {"last_sequence",
              [&](TextReader& reader) { return TakeNumber(reader, database.last_sequence); }},
             {"table", take_table},
             {"log",
              [&](TextReader& reader) { return TakeNumber(reader, database.logs.emplace_back()); }},
             {"leftover", take_leftover},
             {"put", take_put}}));
  return database;
}

}  // namespace kiban::tools
