#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "engine/base/read_file.h"
#include "engine/cache/block_cache.h"
#include "engine/lsm/file_names.h"
#include "engine/memory/memory_env.h"
#include "engine/table/builder.h"
#include "engine/table/reader.h"
#include "tools/golden/checks.h"
#include "tools/golden/formats.h"
#include "tools/golden/text.h"

namespace kiban::tools {
namespace {

using table::TableReader;

constexpr uint64_t kCacheBytes = 32u << 20;

// One way to read a table, against the entries it is to have.
class TableReading {
 public:
  TableReading(const GoldenTable& expected, const TableReader& table, GoldenReport& report)
      : expected_(expected.entries), table_(table), report_(report) {}

  absl::Status Run() {
    RETURN_IF_ERROR(table_.Verify());
    RETURN_IF_ERROR(Scan());
    RETURN_IF_ERROR(ScanBackward());
    std::set<std::string> keys = {"", "absent", "\xff\xff"};
    std::set<base::Sequence> sequences = {0, base::kSequenceMax};
    for (const GoldenEntry& entry : expected_) {
      keys.insert(entry.key);
      keys.insert(entry.key + '\0');
      sequences.insert(entry.sequence);
    }
    for (const std::string& key : keys) RETURN_IF_ERROR(GetAndSeek(key, sequences));
    return absl::OkStatus();
  }

 private:
  absl::Status Compare(std::string_view how, const table::Iterator& iterator, size_t at) {
    ++report_.reads;
    const std::optional<GoldenEntry> expected =
        at < expected_.size() ? std::optional(expected_[at]) : std::nullopt;
    std::optional<GoldenEntry> found;
    if (iterator.Valid()) {
      const table::Entry& entry = iterator.entry();
      found = {std::string(entry.key), entry.sequence, entry.kind, std::string(entry.value)};
    }
    if (found == expected) return iterator.status();
    return Different(how, expected, found);
  }

  static absl::Status Different(std::string_view how, const std::optional<GoldenEntry>& expected,
                                const std::optional<GoldenEntry>& found) {
    return absl::InternalError(absl::StrCat(base::ToAbsl(how), ": expected ",
                                            expected ? Shown(*expected) : "nothing", ", found ",
                                            found ? Shown(*found) : "nothing"));
  }

  absl::Status Scan() {
    const auto iterator = table_.NewIterator();
    iterator->SeekToFirst();
    for (size_t at = 0; at <= expected_.size(); ++at) {
      RETURN_IF_ERROR(Compare("forward", *iterator, at));
      if (iterator->Valid()) iterator->Next();
    }
    return absl::OkStatus();
  }

  absl::Status ScanBackward() {
    const auto iterator = table_.NewIterator();
    iterator->SeekToLast();
    for (size_t at = expected_.size(); at > 0; --at) {
      RETURN_IF_ERROR(Compare("backward", *iterator, at - 1));
      iterator->Prev();
    }
    return Compare("backward", *iterator, expected_.size());
  }

  // The first entry that does not stand before (key, sequence).
  size_t Find(std::string_view key, base::Sequence sequence) const {
    const auto found =
        std::partition_point(expected_.begin(), expected_.end(), [&](const GoldenEntry& entry) {
          return table::Compare(entry.key, entry.sequence, key, sequence) < 0;
        });
    return static_cast<size_t>(found - expected_.begin());
  }

  // At the sequences of the key's versions and next to them, and at those of all others if they are
  // few.
  absl::Status GetAndSeek(const std::string& key, const std::set<base::Sequence>& sequences) {
    constexpr size_t kFew = 64;
    std::set<base::Sequence> at = {0, base::kSequenceMax};
    if (sequences.size() <= kFew) at = sequences;
    for (size_t i = Find(key, base::kSequenceMax); i < expected_.size(); ++i) {
      if (expected_[i].key != key) break;
      const base::Sequence sequence = expected_[i].sequence;
      at.insert({sequence, sequence - (sequence > 0), std::min(sequence + 1, base::kSequenceMax)});
    }
    const auto iterator = table_.NewIterator();
    for (const base::Sequence sequence : at) {
      const size_t first = Find(key, sequence);
      iterator->Seek(key, sequence);
      RETURN_IF_ERROR(Compare("seek", *iterator, first));
      std::optional<GoldenEntry> expected;
      if (first < expected_.size() && expected_[first].key == key) expected = expected_[first];
      RETURN_IF_ERROR(Get(key, sequence, expected));
    }
    return absl::OkStatus();
  }

  absl::Status Get(const std::string& key, base::Sequence at,
                   const std::optional<GoldenEntry>& expected) {
    ++report_.reads;
    ASSIGN_OR_RETURN(const std::optional<table::Found> got, table_.Get(key, at));
    std::optional<GoldenEntry> found;
    if (got) found = {key, got->sequence, got->kind, got->value};
    return found == expected ? absl::OkStatus() : Different("get", expected, found);
  }

  const std::vector<GoldenEntry>& expected_;
  const TableReader& table_;
  GoldenReport& report_;
};

class TableCheck {
 public:
  TableCheck(const GoldenFolder& folder, const GoldenTable& expected, const GoldenFormat& format,
             GoldenReport& report)
      : folder_(folder), expected_(expected), format_(format), report_(report) {}

  absl::Status Run(const std::string& path) {
    for (const bool point_index : {false, true}) RETURN_IF_ERROR(Read(path, point_index));
    ASSIGN_OR_RETURN(const std::string golden, base::ReadWholeFile(folder_.files, path));
    ASSIGN_OR_RETURN(const std::string made, Make());
    if (golden != made) return absl::InternalError("today's builder makes other bytes");
    ++report_.rewrites;
    ++report_.tables;
    report_.formats_of_tables.insert(format_.name);
    return absl::OkStatus();
  }

 private:
  absl::Status Read(const std::string& path, bool point_index) {
    const auto cache = cache::BlockCache::Create(kCacheBytes);
    ASSIGN_OR_RETURN(const std::shared_ptr<const TableReader> table,
                     TableReader::Open(folder_.files, path, expected_.number,
                                       {.cache = cache.get(), .point_index = point_index}));
    if (table->format() != format_.format) return absl::InternalError("of another format");
    const bool is_resident = point_index && format_.point_index.has_value();
    if (table->is_resident() != is_resident) {
      return absl::InternalError(is_resident ? "its index is not used" : "its index is used");
    }
    return TableReading(expected_, *table, report_).Run();
  }

  absl::StatusOr<std::string> Make() const {
    memory::MemoryEnv env;
    engine::FileSystem& files = *env.env().files;
    ASSIGN_OR_RETURN(const std::unique_ptr<table::Builder> builder,
                     table::Builder::Create(files, "table", expected_.number,
                                            {.block_bytes = expected_.block_bytes,
                                             .restart_interval = expected_.restart_interval,
                                             .filter_bits_per_key = expected_.filter_bits_per_key,
                                             .point_index = format_.point_index}));
    for (const GoldenEntry& entry : expected_.entries) RETURN_IF_ERROR(builder->Add(entry.view()));
    RETURN_IF_ERROR(builder->Finish());
    RETURN_IF_ERROR(builder->Close());
    return base::ReadWholeFile(files, "table");
  }

  const GoldenFolder& folder_;
  const GoldenTable& expected_;
  const GoldenFormat& format_;
  GoldenReport& report_;
};

}  // namespace

void CheckTables(const GoldenFolder& folder, GoldenReport& report) {
  const absl::StatusOr<GoldenTable> expected = ParseTable(folder.text);
  if (!expected.ok())
    return Complain(report, folder.path, base::ToStd(expected.status().message()));
  uint64_t found = 0;
  for (const GoldenFormat& format : kGoldenFormats) {
    const std::string dir = absl::StrCat(folder.path, "/", base::ToAbsl(format.name));
    if (!folder.files.List(dir).ok()) continue;
    ++found;
    const std::string path = lsm::TablePath(dir, expected->number);
    const absl::Status status = TableCheck(folder, *expected, format, report).Run(path);
    if (!status.ok()) Complain(report, path, base::ToStd(status.message()));
  }
  if (found == 0) Complain(report, folder.path, "a table in no known format");
}

}  // namespace kiban::tools
