// Goal:   whatever happens to a table with a PH3 index, every get, scan and reopen equals the
//         sorted reads of the same file or is kDataLoss; and the sorted reads equal what was
//         written, unless a checksum was made good over the damage.
// Method: one to eight random edits of the file. Planted is a reader that looks whether what an
//         index points at lies in the file, and then believes it.
#include <gtest/gtest.h>

#include "engine/pointindex/ph3_section.h"
#include "engine/pointindex/section.h"
#include "suites/properties/damage_case.h"
#include "suites/properties/property.h"

namespace kiban::suites {
namespace {

constexpr uint64_t kRoomy = uint64_t{64} << 20;
constexpr base::Sequence kSequences[] = {1, 20, 61, base::kSequenceMax - 1, base::kSequenceMax};

// A table that is open in some way; the cache outlives the reader.
struct OpenTable {
  std::unique_ptr<cache::BlockCache> cache;
  std::shared_ptr<const table::TableReader> reader;
};

absl::StatusOr<OpenTable> OpenWith(Tables& tables, std::string_view bytes, uint64_t budget,
                                   bool point_index) {
  OpenTable open{cache::BlockCache::Create(budget), nullptr};
  auto reader = tables.Open(bytes, {.cache = open.cache.get(), .point_index = point_index});
  if (!reader.ok()) return reader.status();
  open.reader = *std::move(reader);
  return open;
}

// How an index is opened, and how it answers.
using OpenIndexed = std::function<absl::StatusOr<LookUp>(Tables& tables, const std::string& bytes,
                                                         const table::SortedTable& sorted)>;

absl::StatusOr<LookUp> AsItIs(Tables& tables, const std::string& bytes, const table::SortedTable&) {
  auto open = OpenWith(tables, bytes, kRoomy, true);
  if (!open.ok()) return open.status();
  const auto kept = std::make_shared<OpenTable>(*std::move(open));
  return
      [kept](const std::string& key, base::Sequence at) { return LookUpOf(kept->reader)(key, at); };
}

struct DamageReach {
  uint64_t refused = 0;        // By both.
  uint64_t index_refused = 0;  // Sorted reads went on.
  uint64_t harmless = 0;
  uint64_t sealed = 0;
};

std::string WhyNotRefusal(const DamageCase& c, const absl::Status& status) {
  if (absl::IsDataLoss(status)) return "";
  if (absl::IsUnimplemented(status) && c.is_sealed()) return "";  // An unknown version or flag.
  return "refused with " + status.ToString();
}

// What is read of a damaged file without its index, against what was written.
std::string WhySortedReadsLie(const OpenTable& open, const std::vector<OwnedEntry>& entries,
                              const std::vector<std::string>& keys) {
  const SortedVersions versions(entries);
  const LookUp look_up = LookUpOf(open.reader);
  for (const std::string& key : keys) {
    for (const base::Sequence at : kSequences) {
      const std::string wrong = WhyNotAnswer(look_up(key, at), versions.Find(key, at), true);
      if (!wrong.empty()) return "sorted: " + wrong;
    }
  }
  for (const bool backward : {false, true}) {
    const Scanned scanned = Scan(*open.reader, backward);
    if (!scanned.status.ok() && !absl::IsDataLoss(scanned.status)) {
      return "sorted: " + scanned.status.ToString();
    }
    const size_t count = scanned.entries.size();
    if (count > entries.size() || (scanned.status.ok() && count < entries.size())) {
      return "sorted: a scan has another number of entries";
    }
    const auto begin = backward ? entries.end() - static_cast<ptrdiff_t>(count) : entries.begin();
    if (!std::equal(scanned.entries.begin(), scanned.entries.end(), begin)) {
      return "sorted: a scan shows something else";
    }
  }
  return "";
}

// Two ways to read the same file.
std::string WhyNotAsSorted(const LookUp& indexed, const LookUp& sorted,
                           const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    for (const base::Sequence at : kSequences) {
      const auto right = sorted(key, at);
      const auto got = indexed(key, at);
      if (!got.ok() && absl::IsDataLoss(got.status())) continue;
      if (!right.ok()) return "the index answers where sorted reads find damage";
      const OwnedEntry* const entry = right->has_value() ? &**right : nullptr;
      const std::string wrong = WhyNotAnswer(got, entry, false);
      if (!wrong.empty()) return "index: " + wrong;
    }
  }
  return "";
}

std::string WhyReopenedDiffers(Tables& tables, const std::string& bytes, const OpenTable& sorted,
                               const std::vector<std::string>& keys) {
  const bool is_sound = sorted.reader->Verify().ok();
  for (const uint64_t budget : {kRoomy, uint64_t{0}}) {
    const auto open = OpenWith(tables, bytes, budget, true);
    if (!open.ok()) {
      if (is_sound) return "refused although it verifies";
      if (budget == 0) return "refused where the index is not admitted";
      continue;
    }
    if (open->reader->is_resident() && !is_sound) return "admitted although it does not verify";
    const std::string wrong = WhyNotAsSorted(LookUpOf(open->reader), LookUpOf(sorted.reader), keys);
    if (!wrong.empty()) return "reopened: " + wrong;
    const Scanned one = Scan(*open->reader, false);
    const Scanned other = Scan(*sorted.reader, false);
    if (one.entries != other.entries || one.status.code() != other.status.code()) {
      return "reopened: a scan shows something else";
    }
  }
  return "";
}

std::string WhyNotSafe(const DamageCase& c, const OpenIndexed& open_indexed, DamageReach& reach) {
  const std::vector<OwnedEntry> entries = c.table.Entries();
  const pointindex::BuilderOptions ph3{.is_wide = c.table.is_wide};
  Tables tables;
  const std::string original = tables.Build(c.table, entries, ph3);
  const auto whole = tables.Open(original, {}).value();
  const TableParts parts(static_cast<const table::SortedTable&>(*whole), original);
  if (whole->format() != table::TableFormat::kPh3) return std::string(kNotJudged);
  std::vector<OwnedEntry> others = entries;
  if (others.size() > 1) others.erase(others.begin() + static_cast<ptrdiff_t>(others.size() / 2));
  const std::string bytes = Damaged(c, parts, original, tables.Build(c.table, others, ph3));
  if (bytes == original) return std::string(kNotJudged);
  if (c.is_sealed()) ++reach.sealed;

  const std::vector<std::string> keys = c.table.Keys();
  const auto sorted = OpenWith(tables, bytes, kRoomy, false);
  if (!sorted.ok()) {
    ++reach.refused;
    const auto indexed = OpenWith(tables, bytes, kRoomy, true);
    return indexed.ok() ? "only the index opens it" : WhyNotRefusal(c, sorted.status());
  }
  if (!c.is_sealed()) {
    const std::string wrong = WhySortedReadsLie(*sorted, entries, keys);
    if (!wrong.empty()) return wrong;
  }
  const auto indexed =
      open_indexed(tables, bytes, static_cast<const table::SortedTable&>(*sorted->reader));
  if (indexed.ok()) {
    ++reach.harmless;
    const std::string wrong = WhyNotAsSorted(*indexed, LookUpOf(sorted->reader), keys);
    if (!wrong.empty()) return wrong;
  } else {
    ++reach.index_refused;
    const std::string wrong = WhyNotRefusal(c, indexed.status());
    if (!wrong.empty()) return wrong;
  }
  return WhyReopenedDiffers(tables, bytes, *sorted, keys);
}

TEST(DamageProperties, AnIndexAnswersAsSortedReadsDoOrRefuses) {
  DamageReach reach;
  const bool held = Holds<DamageCase>(
      DamageCases(), [&](const DamageCase& c) { return WhyNotSafe(c, AsItIs, reach); });
  std::printf("counted  refused %llu, index refused %llu, harmless %llu; sealed %llu\n",
              static_cast<unsigned long long>(reach.refused),
              static_cast<unsigned long long>(reach.index_refused),
              static_cast<unsigned long long>(reach.harmless),
              static_cast<unsigned long long>(reach.sealed));
  if (!held) return;
  EXPECT_GT(reach.refused, 100u);
  EXPECT_GT(reach.index_refused, 200u);
  EXPECT_GT(reach.harmless, 100u);
  EXPECT_GT(reach.sealed, 300u);
}

// Planted: it looks at checksum, lengths and ranges, and not at what stands there.
class TrustingReader {
 public:
  TrustingReader(std::string bytes, const table::Footer& footer)
      : bytes_(std::move(bytes)),
        footer_(footer),
        section_bytes_(bytes_.substr(footer.point_index_offset(), footer.point_index_bytes)) {}

  absl::Status Open() {
    const pointindex::SectionPlace place{"12.sst", Tables::kFile, footer_.point_index_offset()};
    const auto header = pointindex::OpenHeader(section_bytes_, place);
    if (!header.ok()) return header.status();
    if (header->layout != pointindex::Layout::kPh3) return absl::DataLossError("not PH3");
    const auto section = pointindex::Ph3Section::Open(*header, section_bytes_, place);
    if (!section.ok()) return section.status();
    section_ = *section;
    for (uint64_t i = 0; i < section_.header.key_count; ++i) {
      if (!PointsInside(section_.slots + i * section_.layout.slot_bytes())) {
        return absl::DataLossError("a slot points out of the section");
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::optional<OwnedEntry>> Get(const std::string& key, base::Sequence at) const {
    const pointindex::Answer answer = section_.Find(key, pointindex::KeyHash(key), at);
    if (answer.found == pointindex::Found::kNothing) return std::optional<OwnedEntry>();
    if (answer.found == pointindex::Found::kDelete) {
      return OwnedEntry{key, answer.sequence, table::Kind::kDelete, ""};
    }
    if (answer.place.offset > bytes_.size()) return absl::DataLossError("a value is out of range");
    return OwnedEntry{key, answer.sequence, table::Kind::kPut,
                      bytes_.substr(answer.place.offset, answer.place.bytes)};
  }

 private:
  bool PointsInside(const char* slot) const {
    const pointindex::PackedReader<false> number(slot);
    const auto& field = section_.layout.key.fields;
    const uint64_t arena_bytes = section_.header.arena_bytes;
    if (number(field[pointindex::kGroup]) >= pointindex::GroupCount(section_.header.key_count)) {
      return false;
    }
    const char* const group =
        section_.groups + number(field[pointindex::kGroup]) * pointindex::kPh3GroupBytes;
    const auto anchor = base::LoadLittle<uint64_t>(group);
    const auto anchor_bytes = base::LoadLittle<uint32_t>(group + 16);
    if (anchor > arena_bytes || anchor_bytes > arena_bytes - anchor) return false;
    const uint64_t left = arena_bytes - anchor - anchor_bytes;
    if (number(field[pointindex::kSharedBytes]) > anchor_bytes) return false;
    if (number(field[pointindex::kSuffixOffset]) > left) return false;
    if (number(field[pointindex::kSuffixBytes]) > left - number(field[pointindex::kSuffixOffset])) {
      return false;
    }
    const uint64_t older = section_.header.older_count();
    return number(field[pointindex::kOlderFirst]) <= older &&
           number(field[pointindex::kOlderCount]) <= older - number(field[pointindex::kOlderFirst]);
  }

  const std::string bytes_;
  const table::Footer footer_;
  const std::string section_bytes_;
  pointindex::Ph3Section section_;
};

absl::StatusOr<LookUp> Trusting(Tables&, const std::string& bytes,
                                const table::SortedTable& sorted) {
  const auto reader = std::make_shared<TrustingReader>(bytes, sorted.footer());
  const absl::Status status = reader->Open();
  if (!status.ok()) return status;
  return [reader](const std::string& key, base::Sequence at) { return reader->Get(key, at); };
}

TEST(DamageProperties, AnIndexThatIsBelievedIsFoundAndShrunk) {
  DamageReach reach;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const auto smallest = SmallestFailing<DamageCase>(
        DamageCases(), [&](const DamageCase& c) { return WhyNotSafe(c, Trusting, reach); }, seed);
    ASSERT_TRUE(smallest.has_value());
    EXPECT_LE(smallest->edits.size(), 3u) << rc::toString(*smallest);
    EXPECT_LE(smallest->table.specs.size(), 6u) << rc::toString(*smallest);
  }
}

}  // namespace
}  // namespace kiban::suites
