// Goal:   index, filter, manifest and batch are read as they were written. Damage is refused; under
//         a checksum made good again what is accepted is something that could have been written.
// Method: random contents and random edits. What is accepted is written again and must read the
//         same.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/bytes.h"
#include "engine/base/crc32.h"
#include "engine/lsm/batch.h"
#include "engine/lsm/manifest_format.h"
#include "engine/table/filter.h"
#include "engine/table/format.h"
#include "engine/table/index.h"
#include "suites/properties/edits.h"
#include "suites/properties/entries.h"
#include "suites/properties/keys.h"
#include "suites/properties/property.h"

namespace kiban::suites {
namespace {

constexpr uint64_t kFile = 12;

// Entries stand for what is to be encoded, whatever the codec makes of them.
struct CodecCase {
  std::vector<OwnedEntry> entries;
  std::vector<Edit> edits;
};

void showValue(const CodecCase& c, std::ostream& os) {
  rc::show(c.entries, os);
  os << '\n';
  rc::show(c.edits, os);
}

rc::Gen<CodecCase> CodecCases() {
  return rc::gen::apply(
      [](std::vector<OwnedEntry> entries, std::vector<Edit> edits) {
        return CodecCase{std::move(entries), std::move(edits)};
      },
      EntryLists(), EditLists(8));
}

// What was read: its text, the bytes that it would be written as; or why not.
struct Decoded {
  absl::Status status;
  std::string text;
  std::string bytes;
};

struct Codec {
  std::string (*encode)(const std::vector<OwnedEntry>& entries);
  Decoded (*decode)(const std::vector<OwnedEntry>& entries, std::string_view bytes);
  void (*seal)(std::string& bytes);  // Null: there is no checksum.
};

struct CodecReach {
  uint64_t refused = 0;
  uint64_t accepted = 0;  // Other bytes than were written.
};

std::string WhyNotSafe(const Codec& codec, const CodecCase& c, CodecReach& reach) {
  const std::string original = codec.encode(c.entries);
  const Decoded right = codec.decode(c.entries, original);
  if (!right.status.ok()) return "what was written is refused: " + right.status.ToString();
  if (right.bytes != original) return "what was written would be written otherwise";

  const std::string other = codec.encode({c.entries.back()});
  std::string bytes = original;
  for (const Edit& edit : c.edits) Apply(edit, other, {0, bytes.size()}, bytes);
  const bool is_sealed = codec.seal != nullptr && AreSealed(c.edits);
  if (is_sealed) codec.seal(bytes);
  if (bytes == original) return std::string(kNotJudged);
  const Decoded got = codec.decode(c.entries, bytes);
  if (!got.status.ok()) {
    ++reach.refused;
    return absl::IsDataLoss(got.status) || absl::IsUnimplemented(got.status)
               ? ""
               : "refused with " + got.status.ToString();
  }
  ++reach.accepted;
  if (codec.seal != nullptr && !is_sealed) return "damage has passed the checksum";
  const Decoded again = codec.decode(c.entries, got.bytes);
  if (!again.status.ok()) return "what was accepted cannot be written: " + again.status.ToString();
  return again.text == got.text ? "" : "what was accepted reads otherwise when it is written again";
}

void ExpectSafe(const Codec& codec, uint64_t accepted_min) {
  CodecReach reach;
  const bool held = Holds<CodecCase>(
      CodecCases(), [&](const CodecCase& c) { return WhyNotSafe(codec, c, reach); }, /*times=*/4);
  if (!held) return;
  std::printf("refused %llu, accepted %llu\n", static_cast<unsigned long long>(reach.refused),
              static_cast<unsigned long long>(reach.accepted));
  EXPECT_GT(reach.refused, 2000u);
  EXPECT_GE(reach.accepted, accepted_min);
}

// Over bytes that end in the crc32 of all the rest.
void SealEnd(std::string& bytes) {
  if (bytes.size() < table::kCrcBytes) return;
  const std::string_view covered(bytes.data(), bytes.size() - table::kCrcBytes);
  base::StoreLittle(bytes.data() + covered.size(), base::PlacedCrc32(kFile, 0, covered));
}

// A fence for every entry.
uint64_t BlockBytes(const OwnedEntry& entry) { return 64 + entry.key.size() + entry.value.size(); }

std::string EncodeIndex(const std::vector<OwnedEntry>& entries) {
  table::IndexBuilder builder;
  builder.Begin(entries.front().key);
  for (const OwnedEntry& entry : entries) {
    builder.Add(entry.key, entry.sequence, BlockBytes(entry));
  }
  std::string bytes;
  builder.Finish(bytes, kFile, 0);
  return bytes;
}

// As if the index stood at offset 0 of its file, which only its checksum asks.
Decoded DecodeIndex(const std::vector<OwnedEntry>& entries, std::string_view bytes) {
  table::Footer footer;
  for (const OwnedEntry& entry : entries) footer.data_bytes += BlockBytes(entry);
  footer.filter_bytes = 0 - footer.data_bytes;
  footer.block_count = static_cast<uint32_t>(entries.size());
  const auto index = table::Index::Decode("t", kFile, footer, bytes);
  Decoded decoded{index.status(), "", ""};
  if (!index.ok()) return decoded;
  table::IndexBuilder builder;
  builder.Begin(index->smallest_key());
  decoded.text = index->smallest_key();
  uint64_t data_bytes = 0;
  for (size_t i = 0; i < index->block_count(); ++i) {
    builder.Add(index->key(i), index->sequence(i), index->block_bytes(i));
    decoded.text.append("\n").append(index->key(i));
    decoded.text += " " + std::to_string(index->sequence(i)) + " " +
                    std::to_string(index->block_offset(i)) + "+" +
                    std::to_string(index->block_bytes(i));
    data_bytes += index->block_bytes(i);
    const bool ascends = i == 0 || table::Compare(index->key(i - 1), index->sequence(i - 1),
                                                  index->key(i), index->sequence(i)) < 0;
    if (!ascends) decoded.status = absl::InternalError("fences out of order");
  }
  if (data_bytes != footer.data_bytes) decoded.status = absl::InternalError("not all blocks");
  if (index->block_count() != entries.size()) decoded.status = absl::InternalError("other fences");
  builder.Finish(decoded.bytes, kFile, 0);
  return decoded;
}

std::vector<uint64_t> HashesOf(const std::vector<OwnedEntry>& entries) {
  std::vector<uint64_t> hashes;
  for (const OwnedEntry& entry : entries) {
    if (hashes.empty() || hashes.back() != table::Filter::HashOf(entry.key)) {
      hashes.push_back(table::Filter::HashOf(entry.key));
    }
  }
  return hashes;
}

uint32_t BitsPerKey(const std::vector<OwnedEntry>& entries) {
  return static_cast<uint32_t>(entries.front().value.size() % table::kFilterBitsPerKeyMax + 1);
}

std::string EncodeFilter(const std::vector<OwnedEntry>& entries) {
  std::string bytes;
  table::Filter::Append(bytes, kFile, 0, HashesOf(entries), BitsPerKey(entries));
  return bytes;
}

// Which keys a filter has is not known any more: its bits are what is written again.
Decoded DecodeFilter(const std::vector<OwnedEntry>& entries, std::string_view bytes) {
  const auto filter = table::Filter::Decode(kFile, 0, bytes);
  if (!filter.has_value()) return {absl::DataLossError("refused"), "", ""};
  Decoded decoded{absl::OkStatus(), "", std::string(bytes)};
  if (bytes == EncodeFilter(entries)) {
    for (const uint64_t hash : HashesOf(entries)) {
      if (!filter->MayContain(hash)) decoded.status = absl::InternalError("a key is denied");
    }
    if (filter->key_count() != HashesOf(entries).size()) {
      decoded.status = absl::InternalError("another number of keys");
    }
  }
  for (const uint64_t hash : HashesOf(entries)) {
    decoded.text.push_back(filter->MayContain(hash) ? 'y' : 'n');
  }
  return decoded;
}

// Of entries, tables: some in level 0, some in one below.
lsm::Manifest ManifestOf(const std::vector<OwnedEntry>& entries) {
  lsm::Manifest manifest{.min_log = entries.size() + 1, .next_file = entries.size() + 2};
  const std::string* last_key = nullptr;
  base::Sequence newest = 0;
  for (const OwnedEntry& entry : entries) {
    if (last_key != nullptr && *last_key == entry.key) continue;
    last_key = &entry.key;
    const bool is_low = entry.value.size() % 3 == 0;
    const base::Sequence smallest = is_low ? entry.value.size() + 1 : newest + 1;
    const base::Sequence largest = smallest + entry.value.size();
    if (!is_low) newest = largest;
    manifest.last_sequence = std::max(manifest.last_sequence, largest);
    auto& tables = manifest.levels[is_low ? 1 + entry.value.size() % 2 * 5 : 0];
    const uint64_t number = static_cast<uint64_t>(&entry - entries.data()) + 1;
    tables.push_back({.number = number,
                      .size_bytes = 100 + entry.value.size(),
                      .entry_count = 1 + entry.key.size(),
                      .smallest_sequence = smallest,
                      .largest_sequence = largest,
                      .smallest_key = entry.key,
                      .largest_key = is_low ? entry.key : entry.key + entry.value});
  }
  return manifest;
}

std::string EncodeManifest(const std::vector<OwnedEntry>& entries) {
  return lsm::EncodeManifest(ManifestOf(entries));
}

// The rules of manifest_format.h that tables must keep between them.
bool AreInOrder(uint32_t level, const std::vector<lsm::TableInfo>& tables) {
  for (size_t i = 1; i < tables.size(); ++i) {
    const lsm::TableInfo& a = tables[i - 1];
    const lsm::TableInfo& b = tables[i];
    const bool is_right = level == 0
                              ? a.number < b.number && a.largest_sequence < b.smallest_sequence
                              : a.largest_key < b.smallest_key;
    if (!is_right) return false;
  }
  return true;
}

Decoded DecodeManifest(const std::vector<OwnedEntry>& entries, std::string_view bytes) {
  const auto manifest = lsm::DecodeManifest("db/MANIFEST", bytes);
  Decoded decoded{manifest.status(), "", ""};
  if (!manifest.ok()) return decoded;
  for (uint32_t level = 0; level < lsm::kLevelCount; ++level) {
    if (AreInOrder(level, manifest->levels[level])) continue;
    decoded.status = absl::InternalError("tables out of order");
    return decoded;
  }
  decoded.bytes = lsm::EncodeManifest(*manifest);
  decoded.text = decoded.bytes;
  if (decoded.bytes != bytes)
    decoded.status = absl::InternalError("there are two ways to write it");
  if (bytes == EncodeManifest(entries) && *manifest != ManifestOf(entries)) {
    decoded.status = absl::InternalError("another manifest than was written");
  }
  return decoded;
}

void SealManifest(std::string& bytes) {
  if (bytes.size() < lsm::kManifestHeadBytes) return;
  const uint32_t before = base::PlacedCrc32(0, 0, std::string_view(bytes).substr(0, 12));
  base::StoreLittle(bytes.data() + 12, base::Crc32(before, std::string_view(bytes).substr(16)));
}

std::string EncodeBatch(const std::vector<OwnedEntry>& entries) {
  lsm::Batch batch;
  for (const OwnedEntry& entry : entries) {
    if (entry.kind == table::Kind::kPut) {
      batch.Put(entry.key, entry.value);
    } else {
      batch.Delete(entry.key);
    }
  }
  return std::string(batch.payload());
}

Decoded DecodeBatch(const std::vector<OwnedEntry>& entries, std::string_view bytes) {
  std::vector<OwnedEntry> operations;
  const auto visit = [&](table::Kind kind, std::string_view key, std::string_view value) {
    operations.push_back({std::string(key), 0, kind, std::string(value)});
    return absl::OkStatus();
  };
  Decoded decoded{lsm::DecodeBatch(bytes, visit), "", ""};
  if (!decoded.status.ok()) return decoded;
  decoded.bytes = EncodeBatch(operations);
  for (const OwnedEntry& operation : operations) {
    decoded.text += std::to_string(static_cast<int>(operation.kind)) + operation.key + "=" +
                    operation.value + "\n";
  }
  if (bytes != EncodeBatch(entries)) return decoded;
  std::vector<OwnedEntry> expected = entries;
  for (OwnedEntry& entry : expected) entry.sequence = 0;
  if (operations != expected) decoded.status = absl::InternalError("another batch");
  return decoded;
}

TEST(CodecProperties, AnIndexIsReadAsItWasWrittenOrRefused) {
  ExpectSafe({EncodeIndex, DecodeIndex, SealEnd}, 10);
}

TEST(CodecProperties, AFilterIsReadAsItWasWrittenOrRefused) {
  ExpectSafe({EncodeFilter, DecodeFilter, SealEnd}, 10);
}

TEST(CodecProperties, AManifestIsReadAsItWasWrittenOrRefused) {
  ExpectSafe({EncodeManifest, DecodeManifest, SealManifest}, 1);
}

// It has no checksum of its own: the log's record has one.
TEST(CodecProperties, ABatchIsReadAsItWasWrittenOrRefused) {
  ExpectSafe({EncodeBatch, DecodeBatch, nullptr}, 10);
}

}  // namespace
}  // namespace kiban::suites
