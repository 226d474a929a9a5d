// Goal:   a table answers the same whatever its format and whether its point index is in memory.
// Method: random tables, written in formats 3, 4/PH2, 4/PH3 and 4/PH3 with fields as wide as they
//         may be, read with room for the index, without, and with one byte too little of it; every
//         answer against the entries. Planted are a reader that takes a slot for a bit too narrow,
//         and one that takes PH3 for PH2.
#include <gtest/gtest.h>

#include "engine/base/bytes.h"
#include "engine/pointindex/mphf.h"
#include "engine/pointindex/ph3_section.h"
#include "engine/pointindex/section.h"
#include "engine/table/sorted_table.h"
#include "suites/properties/property.h"
#include "suites/properties/table_case.h"

namespace kiban::suites {
namespace {

constexpr uint64_t kRoomy = uint64_t{64} << 20;

struct Format {
  const char* name;
  std::optional<pointindex::BuilderOptions> point_index;
  table::TableFormat written;
};

std::vector<Format> FormatsOf(const TableCase& c) {
  using pointindex::Layout;
  return {{"format 3", {}, table::TableFormat::kSorted},
          {"PH2", pointindex::BuilderOptions{.layout = Layout::kPh2}, table::TableFormat::kPh2},
          {"PH3", pointindex::BuilderOptions{.is_wide = c.is_wide}, table::TableFormat::kPh3}};
}

// Two keys of one hash: no perfect hash, hence no index.
bool HasTwins(const TableCase& c) {
  std::map<uint64_t, std::string> keys;
  for (const OwnedEntry& entry : c.Entries()) {
    const auto [place, is_new] = keys.emplace(pointindex::KeyHash(entry.key), entry.key);
    if (!is_new && place->second != entry.key) return true;
  }
  return false;
}

std::string WhyNotEntries(const TableCase& c, const std::vector<OwnedEntry>& entries,
                          const std::vector<base::Sequence>& sequences, const LookUp& look_up) {
  const SortedVersions versions(entries);
  for (const std::string& key : c.Keys()) {
    for (const base::Sequence at : sequences) {
      const std::string wrong = WhyNotAnswer(look_up(key, at), versions.Find(key, at), false);
      if (!wrong.empty()) return wrong;
    }
  }
  return "";
}

struct TableReach {
  uint64_t resident = 0;
  uint64_t several_groups = 0;
  uint64_t twins = 0;
};

std::string WhyNotTheSame(const TableCase& c, TableReach& reach) {
  const std::vector<OwnedEntry> entries = c.Entries();
  const bool has_twins = HasTwins(c);
  Tables tables;
  for (const Format& format : FormatsOf(c)) {
    const auto wrong = [&](const std::string& what) { return format.name + (": " + what); };
    const auto cache = cache::BlockCache::Create(kRoomy);
    const auto opened = tables.Open(tables.Build(c, entries, format.point_index),
                                    {.cache = cache.get(), .point_index = true});
    if (!opened.ok()) return wrong(opened.status().ToString());
    const auto& reader = *opened;
    const table::TableFormat expected = has_twins ? table::TableFormat::kSorted : format.written;
    if (reader->format() != expected) return wrong("another format was written");
    if (reader->is_resident() != (expected != table::TableFormat::kSorted)) {
      return wrong("the index is not where it should be");
    }
    if (reader->is_resident()) ++reach.resident;
    if (const absl::Status status = reader->Verify(); !status.ok()) return wrong(status.ToString());
    const std::string why = WhyNotEntries(c, entries, ReadSequences(), LookUpOf(reader));
    if (!why.empty()) return wrong(why);
    for (const bool backward : {false, true}) {
      const Scanned scanned = Scan(*reader, backward);
      if (!scanned.status.ok()) return wrong(scanned.status.ToString());
      if (scanned.entries != entries) return wrong("a scan shows something else");
    }
  }
  if (c.filler_keys > pointindex::kKeysPerGroup) ++reach.several_groups;
  if (has_twins) ++reach.twins;
  return "";
}

TEST(TableProperties, EveryFormatAnswersAsItsEntriesDo) {
  TableReach reach;
  const bool held =
      Holds<TableCase>(TableCases(), [&](const TableCase& c) { return WhyNotTheSame(c, reach); });
  if (!held) return;
  EXPECT_GT(reach.resident, 1500u);
  EXPECT_GT(reach.several_groups, 20u);
  EXPECT_GT(reach.twins, 20u);
}

// What an index and its blocks are charged.
uint64_t ResidentBytes(const table::TableReader& reader) {
  const table::Footer& footer = static_cast<const table::SortedTable&>(reader).footer();
  return footer.data_bytes + footer.point_index_bytes;
}

std::string WhyAdmissionMatters(const TableCase& c) {
  const std::vector<OwnedEntry> entries = c.Entries();
  if (HasTwins(c)) return std::string(kNotJudged);
  Tables tables;
  for (const Format& format : FormatsOf(c)) {
    if (!format.point_index.has_value()) continue;
    const std::string bytes = tables.Build(c, entries, format.point_index);
    const auto plain = tables.Open(bytes, {});
    if (!plain.ok()) return plain.status().ToString();
    const uint64_t need = ResidentBytes(**plain);
    for (const uint64_t budget : {uint64_t{0}, need - 1, need}) {
      const auto wrong = [&](const std::string& what) {
        return std::string(format.name) + " with " + std::to_string(budget) + " bytes: " + what;
      };
      const auto cache = cache::BlockCache::Create(budget);
      {
        const auto reader = tables.Open(bytes, {.cache = cache.get(), .point_index = true});
        if (!reader.ok()) return wrong(reader.status().ToString());
        if ((*reader)->is_resident() != (budget >= need)) return wrong("admission is off");
        const std::string why =
            WhyNotEntries(c, entries, {40, base::kSequenceMax}, LookUpOf(*reader));
        if (!why.empty()) return wrong(why);
        if (Scan(**reader, false).entries != entries) return wrong("a scan shows something else");
      }
      // What was charged went with the table: another of the same size finds room.
      const auto again = tables.Open(bytes, {.cache = cache.get(), .point_index = true});
      if (!again.ok()) return wrong(again.status().ToString());
      if ((*again)->is_resident() != (budget >= need)) return wrong("the charge has stayed");
    }
  }
  return "";
}

TEST(TableProperties, AnIndexThatIsNotAdmittedChangesNoAnswer) {
  Holds<TableCase>(TableCases(), WhyAdmissionMatters);
}

// Planted: a reader to which the length of a value is a bit shorter than it was written.
class NarrowReader {
 public:
  NarrowReader(std::string bytes, const table::Footer& footer)
      : bytes_(std::move(bytes)),
        section_bytes_(bytes_.substr(footer.point_index_offset(), footer.point_index_bytes)) {
    const pointindex::SectionPlace place{"12.sst", Tables::kFile, footer.point_index_offset()};
    const auto header = pointindex::OpenHeader(section_bytes_, place).value();
    section_ = pointindex::Ph3Section::Open(header, section_bytes_, place).value();
    section_.layout.version.fields[pointindex::kValueBytes].mask >>= 1;
  }

  std::optional<OwnedEntry> Get(const std::string& key, base::Sequence at) const {
    const pointindex::Answer answer = section_.Find(key, pointindex::KeyHash(key), at);
    if (answer.found == pointindex::Found::kNothing) return std::nullopt;
    const bool is_put = answer.found == pointindex::Found::kPut;
    return OwnedEntry{key, answer.sequence, is_put ? table::Kind::kPut : table::Kind::kDelete,
                      is_put ? bytes_.substr(answer.place.offset, answer.place.bytes) : ""};
  }

 private:
  const std::string bytes_;
  const std::string section_bytes_;
  pointindex::Ph3Section section_;
};

// The bytes and the footer of the case's table in PH3.
struct Ph3Table {
  explicit Ph3Table(const TableCase& c, const std::vector<OwnedEntry>& entries) {
    Tables tables;
    bytes = tables.Build(c, entries, pointindex::BuilderOptions{.is_wide = c.is_wide});
    const auto reader = tables.Open(bytes, {}).value();
    footer = static_cast<const table::SortedTable&>(*reader).footer();
  }

  std::string bytes;
  table::Footer footer;
};

std::string WhyNarrowSlotsAreWrong(const TableCase& c) {
  const std::vector<OwnedEntry> entries = c.Entries();
  if (HasTwins(c)) return std::string(kNotJudged);
  const Ph3Table table(c, entries);
  const NarrowReader narrow(table.bytes, table.footer);
  const LookUp look_up = [&](const std::string& key, base::Sequence at) {
    return narrow.Get(key, at);
  };
  return WhyNotEntries(c, entries, ReadSequences(), look_up);
}

TEST(TableProperties, AWrongSlotWidthIsFoundAndShrunk) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const auto smallest = SmallestFailing<TableCase>(TableCases(), WhyNarrowSlotsAreWrong, seed);
    ASSERT_TRUE(smallest.has_value());
    EXPECT_LE(smallest->specs.size(), 3u) << rc::toString(*smallest);
    EXPECT_EQ(smallest->filler_keys, 0u);
  }
}

// Planted: a reader that takes PH3 for PH2. It looks for keys where PH2 has them, does not leave
// the section, and believes no key but the whole one: what it does is to miss what is there.
class Ph2Misreader {
 public:
  Ph2Misreader(const std::string& bytes, const table::Footer& footer)
      : section_(bytes.substr(footer.point_index_offset(), footer.point_index_bytes)) {
    const pointindex::SectionPlace place{"12.sst", Tables::kFile, footer.point_index_offset()};
    header_ = pointindex::OpenHeader(section_, place).value();
  }

  std::optional<OwnedEntry> Get(const std::string& key) const {
    const auto& shape = pointindex::kPh2Hash;
    const uint64_t slots = pointindex::kHeaderBytes + shape.encoded_bytes(header_.key_count);
    const uint64_t arena = slots + header_.key_count * pointindex::kPh2SlotBytes;
    if (arena > section_.size()) return std::nullopt;
    const pointindex::PerfectHash hash(shape, header_.key_count, header_.seed,
                                       section_.data() + pointindex::kHeaderBytes);
    const uint64_t key_hash = pointindex::KeyHash(key);
    const char* const slot =
        section_.data() + slots + hash.SlotOf(key_hash) * pointindex::kPh2SlotBytes;
    if (base::LoadLittle<uint32_t>(slot + 8) != static_cast<uint32_t>(key_hash)) return {};
    const uint64_t at = base::LoadLittle<uint64_t>(slot);
    const std::string_view entries = std::string_view(section_).substr(arena);
    if (at > entries.size() || !entries.substr(at).starts_with(key)) return std::nullopt;
    return OwnedEntry{key, 0, table::Kind::kDelete, ""};
  }

 private:
  const std::string section_;
  pointindex::Header header_;
};

std::string WhyPh3IsNotPh2(const TableCase& c) {
  const std::vector<OwnedEntry> entries = c.Entries();
  if (HasTwins(c)) return std::string(kNotJudged);
  const Ph3Table table(c, entries);
  const Ph2Misreader misreader(table.bytes, table.footer);
  const LookUp look_up = [&](const std::string& key, base::Sequence) { return misreader.Get(key); };
  return WhyNotEntries(c, entries, ReadSequences(), look_up);
}

TEST(TableProperties, AReaderThatTakesPh3ForPh2IsFoundAndShrunk) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const auto smallest = SmallestFailing<TableCase>(TableCases(), WhyPh3IsNotPh2, seed);
    ASSERT_TRUE(smallest.has_value());
    EXPECT_LE(smallest->specs.size(), 1u) << rc::toString(*smallest);
    EXPECT_EQ(smallest->filler_keys, 0u);
  }
}

}  // namespace
}  // namespace kiban::suites
