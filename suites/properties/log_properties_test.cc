// Goal:   a log gives back what was appended, and after any damage a beginning of it, which ends
//         before nothing that a later record shows to have been synced; or kDataLoss.
// Method: random records and syncs, random edits of the file. The oracle knows where each record
//         stands and what it promised, and looks which of them are still whole.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/bytes.h"
#include "engine/base/read_file.h"
#include "engine/memory/memory_env.h"
#include "engine/wal/format.h"
#include "engine/wal/reader.h"
#include "engine/wal/writer.h"
#include "suites/properties/edits.h"
#include "suites/properties/property.h"

namespace kiban::suites {
namespace {

constexpr uint64_t kSegment = 7;

struct LogRecord {
  uint32_t payload_bytes = 1;  // And as many operations.
  bool sync_before = false;
};

struct LogCase {
  base::Sequence first_sequence = 1;
  std::vector<LogRecord> records;
  std::vector<Edit> edits;
};

void showValue(const LogCase& c, std::ostream& os) {
  os << "from " << c.first_sequence << ':';
  for (const LogRecord& record : c.records) {
    os << (record.sync_before ? " sync " : " ") << record.payload_bytes;
  }
  os << '\n';
  rc::show(c.edits, os);
}

// A record as it was written.
struct Written {
  std::string payload;
  base::Sequence sequence = 0;
  base::Sequence durable_through = 0;
  size_t begin = 0;
  size_t end = 0;
};

struct Log {
  std::string bytes;
  std::vector<Written> records;
};

// Nothing in a payload looks like what stands at the same place of another.
Log WriteLog(const LogCase& c) {
  memory::MemoryEnv env;
  engine::FileSystem& files = *env.env().files;
  const auto writer = wal::Writer::Create(files, "log", kSegment, c.first_sequence).value();
  Log log;
  base::Sequence next = c.first_sequence;
  base::Sequence durable_through = next - 1;
  for (const LogRecord& record : c.records) {
    if (record.sync_before) durable_through = next - 1;
    Written written{std::string(record.payload_bytes, static_cast<char>('a' + next % 26)), next,
                    durable_through, writer->size_bytes(), 0};
    EXPECT_TRUE(writer->Append(next, durable_through, written.payload).ok());
    written.end = writer->size_bytes();
    next += record.payload_bytes;
    log.records.push_back(std::move(written));
  }
  log.bytes = base::ReadWholeFile(files, "log").value();
  return log;
}

struct Replayed {
  absl::Status status;
  std::vector<std::string> payloads;
};

Replayed Replay(std::string_view bytes, wal::TailRule tail) {
  memory::MemoryEnv env;
  engine::FileSystem& files = *env.env().files;
  const auto file = files.Open("log", engine::OpenMode::kMustCreate).value();
  EXPECT_TRUE(file->Append(base::AsBytes(bytes)).ok());
  Replayed replayed;
  const auto visit = [&](const wal::Record& record) -> absl::StatusOr<base::Sequence> {
    replayed.payloads.emplace_back(record.payload);
    return record.first_sequence + record.payload.size();
  };
  replayed.status = wal::Replay(files, "log", kSegment, tail, visit).status();
  return replayed;
}

struct LogReach {
  uint64_t lost = 0;     // kDataLoss.
  uint64_t dropped = 0;  // A shorter log.
};

// What the log was when it was damaged, against what was read of it.
std::string WhyNotBeginning(const Log& log, std::string_view damaged, const Replayed& replayed) {
  const size_t count = replayed.payloads.size();
  if (count > log.records.size()) return "more records than were written";
  for (size_t i = 0; i < count; ++i) {
    if (replayed.payloads[i] != log.records[i].payload) return "another record than was written";
  }
  if (count == log.records.size()) return "";
  const auto is_whole = [&](size_t begin, size_t end) {
    return damaged.size() >= end && damaged.substr(begin, end - begin) ==
                                        std::string_view(log.bytes).substr(begin, end - begin);
  };
  if (!is_whole(0, wal::kHeaderBytes)) return count == 0 ? "" : "records without a header";
  for (size_t i = count; i < log.records.size(); ++i) {
    const Written& witness = log.records[i];
    if (!is_whole(witness.begin, witness.end)) continue;
    if (i == count) return "a record is dropped that is whole";
    if (witness.durable_through >= log.records[count].sequence) {
      return "record " + std::to_string(count) + " is dropped without a word, though record " +
             std::to_string(i) + " says that it was synced";
    }
  }
  return "";
}

std::string WhyNotSafe(const LogCase& c, LogReach& reach) {
  const Log log = WriteLog(c);
  const wal::TailRule rules[] = {wal::TailRule::kWhole, wal::TailRule::kMayBeTorn};
  for (const wal::TailRule rule : rules) {
    const Replayed replayed = Replay(log.bytes, rule);
    if (!replayed.status.ok()) return "a whole log is refused: " + replayed.status.ToString();
    if (replayed.payloads.size() != log.records.size()) return "a whole log is read in part";
    const std::string wrong = WhyNotBeginning(log, log.bytes, replayed);
    if (!wrong.empty()) return wrong;
  }
  const std::string other = WriteLog({.first_sequence = c.first_sequence, .records = {{9}}}).bytes;
  std::string damaged = log.bytes;
  for (const Edit& edit : c.edits) Apply(edit, other, {0, damaged.size()}, damaged);
  if (damaged == log.bytes) return std::string(kNotJudged);
  for (const wal::TailRule rule : rules) {
    const Replayed replayed = Replay(damaged, rule);
    if (!replayed.status.ok()) {
      if (!absl::IsDataLoss(replayed.status)) return replayed.status.ToString();
      ++reach.lost;
      continue;
    }
    if (rule == wal::TailRule::kWhole) {
      // Cut off between two records, a log is whole: the manifest's sequence tells the rest.
      const bool is_cut = std::any_of(log.records.begin(), log.records.end(),
                                      [&](const Written& w) { return w.begin == damaged.size(); });
      if (!is_cut) return "damage in a synced log is not noticed";
    }
    ++reach.dropped;
    const std::string wrong = WhyNotBeginning(log, damaged, replayed);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

rc::Gen<LogCase> LogCases() {
  const auto records = rc::gen::apply(
      [](uint32_t payload_bytes, uint32_t sync) {
        return LogRecord{payload_bytes, sync == 2};
      },
      rc::gen::inRange<uint32_t>(1, 60), rc::gen::inRange<uint32_t>(0, 3));
  return rc::gen::apply(
      [](base::Sequence first, std::vector<LogRecord> drawn, std::vector<Edit> edits) {
        return LogCase{first, std::move(drawn), std::move(edits)};
      },
      rc::gen::element<base::Sequence>(1, 1000, base::kSequenceMax - 10000),
      rc::gen::container<std::vector<LogRecord>>(records), EditLists(8));
}

TEST(LogProperties, ADamagedLogIsABeginningOfItOrRefused) {
  LogReach reach;
  const bool held =
      Holds<LogCase>(LogCases(), [&](const LogCase& c) { return WhyNotSafe(c, reach); });
  if (!held) return;
  EXPECT_GT(reach.lost, 100u);
  EXPECT_GT(reach.dropped, 100u);
}

}  // namespace
}  // namespace kiban::suites
