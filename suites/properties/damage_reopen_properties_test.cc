// Goal:   a database one of whose tables was damaged opens and reads as before, or says kDataLoss;
//         with the point index as without it.
// Method: a database of one PH3 table, edits of that file, reopened in three ways.
#include <gtest/gtest.h>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/read_file.h"
#include "engine/lsm/db.h"
#include "engine/memory/memory_env.h"
#include "models/complaint.h"
#include "suites/properties/damage_case.h"
#include "suites/properties/property.h"

namespace kiban::suites {
namespace {

using Contents = std::map<std::string, std::string>;

// How it is opened: the index off; on, and in memory; on, without room for it.
enum class Mode { kSorted, kIndexed, kNotAdmitted };

lsm::KibanOptions OptionsOf(const TableCase& c, Mode mode) {
  lsm::KibanOptions options{.block_bytes = std::max<uint32_t>(c.block_bytes, 64),
                            .restart_interval = c.restart_interval,
                            .block_cache_bytes = mode == Mode::kNotAdmitted ? 0 : 1u << 20};
  options.point_index = mode != Mode::kSorted;
  options.for_tests.written->is_wide = c.is_wide;
  return options;
}

class DamagedDb {
 public:
  explicit DamagedDb(const DamageCase& c) : case_(c) {
    const auto db = lsm::Db::Open(env_.env(), "db", OptionsOf(c.table, Mode::kIndexed)).value();
    for (const EntrySpec& spec : c.table.specs) {
      const std::string key = TableCase{.specs = {spec}}.Entries().front().key;
      const std::string value =
          std::to_string(spec.sequence) + std::string(spec.value_bytes % 400, '.');
      keys_.insert(key);
      CHECK(db->Put(key, value, {}).ok());
      contents_[key] = value;
      if (!spec.is_delete) continue;
      CHECK(db->Delete(key, {}).ok());
      contents_.erase(key);
    }
    CHECK(db->Compact().ok());
    CHECK(db->Close().ok());
  }

  // Damages the one table. False if there is none with an index, or nothing changed.
  bool Damage() {
    engine::FileSystem& files = *env_.env().files;
    const std::vector<std::string> names = files.List("db").value();
    for (const std::string& name : names) {
      if (name.find(".sst") == name.npos) continue;
      const std::string path = "db/" + name;
      const std::string original = base::ReadWholeFile(files, path).value();
      const auto table = table::TableReader::Open(files, path, std::stoull(name), {}).value();
      if (table->format() != table::TableFormat::kPh3) return false;
      const TableParts parts(static_cast<const table::SortedTable&>(*table), original);
      const std::string bytes = Damaged(case_, parts, original, original);
      const auto file = files.Open(path, engine::OpenMode::kTruncate).value();
      CHECK(file->Append(base::AsBytes(bytes)).ok());
      return bytes != original;
    }
    return false;
  }

  // Every get and both scans, as text: an error is what it is, a value is a value.
  struct Answers {
    absl::Status open;
    std::map<std::string, std::string> gets;
    std::string scans[2];
  };

  Answers Read(Mode mode) const {
    memory::MemoryEnv copy;
    env_.CopyFilesTo(copy);
    auto db = lsm::Db::Open(copy.env(), "db", OptionsOf(case_.table, mode));
    Answers answers;
    answers.open = db.status();
    if (!db.ok()) return answers;
    for (const std::string& key : keys_) {
      const auto got = (*db)->Get(key, nullptr);
      answers.gets[key] = got.ok() ? Text(*got) : Failed(got.status());
    }
    for (const bool backward : {false, true}) {
      const auto cursor = (*db)->NewCursor({}, nullptr);
      std::string& scan = answers.scans[backward ? 1 : 0];
      for (backward ? cursor->SeekToLast() : cursor->SeekToFirst(); cursor->Valid();
           backward ? cursor->Prev() : cursor->Next()) {
        scan.append(cursor->key()).append("=").append(cursor->value()).append("\n");
      }
      if (!cursor->status().ok()) scan = Failed(cursor->status());
    }
    return answers;
  }

  Answers Written() const {
    Answers answers;
    for (const std::string& key : keys_) {
      const auto found = contents_.find(key);
      answers.gets[key] = found == contents_.end() ? Text(std::nullopt) : Text(found->second);
    }
    for (const auto& [key, value] : contents_) {
      const std::string line = key + "=" + value + "\n";
      answers.scans[0] += line;
      answers.scans[1] = line + answers.scans[1];
    }
    return answers;
  }

  static constexpr std::string_view kDataLoss = "data loss";

 private:
  static std::string Text(const std::optional<std::string>& value) {
    return value.has_value() ? "=" + *value : "nothing";
  }
  static std::string Failed(const absl::Status& status) {
    return absl::IsDataLoss(status) ? std::string(kDataLoss) : status.ToString();
  }

  const DamageCase& case_;
  memory::MemoryEnv env_;
  std::set<std::string> keys_;
  Contents contents_;
};

// `got` equals `right` or is kDataLoss, in everything.
std::string WhyNotEqual(const DamagedDb::Answers& got, const DamagedDb::Answers& right) {
  for (const auto& [key, answer] : got.gets) {
    if (answer == DamagedDb::kDataLoss) continue;
    if (answer != right.gets.at(key)) {
      return "a get of " + models::Quote(key) + ": " + models::Quote(answer);
    }
  }
  for (const int way : {0, 1}) {
    if (got.scans[way] != DamagedDb::kDataLoss && got.scans[way] != right.scans[way]) {
      return "a scan: " + models::Quote(got.scans[way]);
    }
  }
  return "";
}

struct ReopenedReach {
  uint64_t refused = 0;
  uint64_t only_indexed_refused = 0;
  uint64_t opened = 0;
  uint64_t harmless = 0;  // To the index too.
};

std::string WhyNotSafe(const DamageCase& c, ReopenedReach& reach) {
  DamagedDb db(c);
  if (!db.Damage()) return std::string(kNotJudged);
  const DamagedDb::Answers sorted = db.Read(Mode::kSorted);
  const DamagedDb::Answers indexed = db.Read(Mode::kIndexed);
  for (const absl::Status& status : {sorted.open, indexed.open}) {
    const bool is_unknown = absl::IsUnimplemented(status) && c.is_sealed();
    if (!status.ok() && !absl::IsDataLoss(status) && !is_unknown) return status.ToString();
  }
  if (!sorted.open.ok()) {
    ++reach.refused;
    return indexed.open.ok() ? "only the index opens it" : "";
  }
  if (!c.is_sealed()) {
    const std::string wrong = WhyNotEqual(sorted, db.Written());
    if (!wrong.empty()) return "sorted: " + wrong;
  }
  const DamagedDb::Answers not_admitted = db.Read(Mode::kNotAdmitted);
  if (!not_admitted.open.ok()) return "refused for an index that is not looked at";
  ++reach.opened;
  const std::string other = WhyNotEqual(not_admitted, sorted);
  if (!other.empty()) return "not admitted: " + other;
  if (!indexed.open.ok()) {
    ++reach.only_indexed_refused;
    return "";
  }
  ++reach.harmless;
  const std::string wrong = WhyNotEqual(indexed, sorted);
  return wrong.empty() ? "" : "index: " + wrong;
}

TEST(DamageProperties, ADatabaseWithADamagedTableReadsAsBeforeOrRefuses) {
  const auto cases = rc::gen::map(DamageCases(), [](DamageCase c) {
    c.table.filler_keys = 0;
    return c;
  });
  ReopenedReach reach;
  const bool held =
      Holds<DamageCase>(cases, [&](const DamageCase& c) { return WhyNotSafe(c, reach); });
  std::printf("counted  refused %llu, with the index alone %llu, opened %llu, harmless %llu\n",
              static_cast<unsigned long long>(reach.refused),
              static_cast<unsigned long long>(reach.only_indexed_refused),
              static_cast<unsigned long long>(reach.opened),
              static_cast<unsigned long long>(reach.harmless));
  if (!held) return;
  EXPECT_GT(reach.refused, 100u);
  EXPECT_GT(reach.only_indexed_refused, 100u);
  EXPECT_GT(reach.opened, 100u);
  EXPECT_GT(reach.harmless, 100u);
}

}  // namespace
}  // namespace kiban::suites
