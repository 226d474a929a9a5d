#include "suites/properties/table_case.h"

#include <algorithm>
#include <set>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/read_file.h"
#include "engine/pointindex/format.h"
#include "engine/pointindex/record.h"
#include "engine/table/builder.h"
#include "models/complaint.h"
#include "suites/properties/keys.h"
#include "suites/properties/property.h"

namespace kiban::suites {
namespace {

constexpr uint32_t kAlikeKeys = 12;  // Of one fingerprint.
constexpr uint32_t kTwinKeys = 4;    // Two pairs of equal hashes.
constexpr uint32_t kLongKeys = 8;
constexpr uint32_t kSpecKeys = kPoolKeys + kAlikeKeys + kLongKeys + kTwinKeys;
constexpr char kPath[] = "12.sst";

// A key with the fingerprint of all others from here, in PH2 and in PH3.
std::string AlikeKey(uint32_t number) {
  static const std::vector<std::string>& keys = *[] {
    auto* const found = new std::vector<std::string>;
    for (uint32_t i = 0; found->size() < kAlikeKeys; ++i) {
      std::string key = "alike/" + std::to_string(i);
      if (pointindex::KeyHash(key) % 256 == 77) found->push_back(std::move(key));
    }
    return found;
  }();
  return keys[number];
}

// XXH3 of 16 bytes adds both halves, each mixed with a constant, and their product; where one of
// them is made zero the product goes, and the other may stand on either side (one turned round).
std::string TwinKey(uint32_t number) {
  constexpr uint64_t kFirstHalf = 0x1f67b3b7a4a44072 ^ 0x78e5c0cc4ee679cb;
  constexpr uint64_t kSecondHalf = 0x2172ffcc7dd05a82 ^ 0x8e2443f7744608b8;
  const uint64_t sum = 1000 + number / 2;
  std::string key;
  if (number % 2 == 0) {
    base::AppendLittle(key, kFirstHalf);
    base::AppendLittle(key, kSecondHalf ^ sum);
  } else {
    base::AppendLittle(key, kFirstHalf ^ __builtin_bswap64(sum));
    base::AppendLittle(key, kSecondHalf);
  }
  return key;
}

std::string SpecKey(uint32_t number) {
  if (number < kPoolKeys) return PoolKey(number);
  number -= kPoolKeys;
  if (number < kAlikeKeys) return AlikeKey(number);
  number -= kAlikeKeys;
  if (number < kLongKeys) return std::string(300, 'l') + std::to_string(number);
  return TwinKey(number - kLongKeys);
}

std::string FillerKey(uint32_t number) {
  std::string digits = std::to_string(number);
  return "filler/" + std::string(6 - digits.size(), '0') + digits;
}

base::Sequence SequenceOf(uint32_t number) {
  if (number >= 62) return base::kSequenceMax - (63 - number);
  return number + 1;
}

}  // namespace

std::vector<OwnedEntry> TableCase::Entries() const {
  std::map<std::pair<std::string, base::Sequence>, OwnedEntry> sorted;
  for (const EntrySpec& spec : specs) {
    OwnedEntry entry{.key = SpecKey(spec.key), .sequence = SequenceOf(spec.sequence)};
    if (spec.is_delete) {
      entry.kind = table::Kind::kDelete;
    } else {
      entry.value = entry.key.substr(0, 4) + std::to_string(spec.sequence);
      entry.value.resize(spec.value_bytes, '.');
    }
    // Newest first.
    sorted.emplace(std::pair(entry.key, base::kSequenceMax - entry.sequence), entry);
  }
  for (uint32_t i = 0; i < filler_keys; ++i) {
    OwnedEntry entry{.key = FillerKey(i), .sequence = 1 + i % 50, .value = std::to_string(i)};
    sorted.emplace(std::pair(entry.key, uint64_t{0}), entry);
  }
  if (sorted.empty()) return {{.key = "", .sequence = 1}};
  std::vector<OwnedEntry> entries;
  for (auto& [place, entry] : sorted) entries.push_back(std::move(entry));
  return entries;
}

std::vector<std::string> TableCase::Keys() const {
  std::set<std::string> keys;
  for (uint32_t number = 0; number < kSpecKeys; ++number) keys.insert(SpecKey(number));
  const uint32_t group = pointindex::kKeysPerGroup;
  for (uint32_t i = 0; i < filler_keys; ++i) {
    if (i % 97 == 0 || i % group <= 1 || i % group == group - 1) keys.insert(FillerKey(i));
  }
  keys.insert(FillerKey(filler_keys));
  return {keys.begin(), keys.end()};
}

rc::Gen<TableCase> TableCases() {
  using rc::gen::inRange;
  const auto keys =
      rc::gen::weightedOneOf<uint32_t>({{30, inRange<uint32_t>(0, kSpecKeys - kTwinKeys)},
                                        {1, inRange<uint32_t>(kSpecKeys - kTwinKeys, kSpecKeys)}});
  const auto value_bytes = rc::gen::weightedOneOf<uint32_t>(
      {{40, inRange<uint32_t>(0, 40)}, {8, inRange<uint32_t>(0, 400)}, {1, rc::gen::just(70000u)}});
  const auto specs = rc::gen::apply(
      [](uint32_t key, uint32_t sequence, uint32_t bytes, uint32_t kind) {
        return EntrySpec{key, sequence, bytes, kind == 3};
      },
      keys, inRange<uint32_t>(0, 64), value_bytes, inRange<uint32_t>(0, 4));
  const auto fillers = rc::gen::weightedOneOf<uint32_t>(
      {{20, rc::gen::just(0u)},
       {1, rc::gen::resize(rc::kNominalSize, inRange<uint32_t>(1000, 2200))}});
  return rc::gen::apply(
      [](std::vector<EntrySpec> drawn, uint32_t filler_keys, uint32_t block_bytes,
         uint32_t restart_interval, bool is_wide) {
        return TableCase{std::move(drawn), filler_keys, block_bytes, restart_interval, is_wide};
      },
      rc::gen::container<std::vector<EntrySpec>>(specs), fillers,
      rc::gen::element<uint32_t>(4096, 256, 64), rc::gen::element<uint32_t>(16, 1, 2, 256),
      rc::gen::element(false, true));
}

void showValue(const TableCase& c, std::ostream& os) {
  os << "blocks of " << c.block_bytes << " bytes, restarts every " << c.restart_interval << ", "
     << c.filler_keys << " fillers" << (c.is_wide ? ", wide fields" : "");
  for (const OwnedEntry& entry : TableCase{.specs = c.specs}.Entries()) {
    os << '\n';
    showValue(entry, os);
  }
}

const std::vector<base::Sequence>& ReadSequences() {
  static const std::vector<base::Sequence> sequences = {
      0, 1, 2, 5, 20, 40, 61, 62, base::kSequenceMax - 1, base::kSequenceMax};
  return sequences;
}

SortedVersions::SortedVersions(const std::vector<OwnedEntry>& entries) {
  for (const OwnedEntry& entry : entries) keys_[entry.key].emplace(entry.sequence, entry);
}

const OwnedEntry* SortedVersions::Find(std::string_view key, base::Sequence at) const {
  const auto versions = keys_.find(key);
  if (versions == keys_.end()) return nullptr;
  const auto behind = versions->second.upper_bound(at);
  return behind == versions->second.begin() ? nullptr : &std::prev(behind)->second;
}

std::string Tables::Build(const TableCase& c, const std::vector<OwnedEntry>& entries,
                          std::optional<pointindex::BuilderOptions> point_index) {
  engine::FileSystem& files = *env_.env().files;
  const table::BuilderOptions options{.block_bytes = c.block_bytes,
                                      .restart_interval = c.restart_interval,
                                      .point_index = point_index};
  const auto builder = table::Builder::Create(files, "new", kFile, options).value();
  for (const OwnedEntry& entry : entries) CHECK(builder->Add(entry.view()).ok());
  CHECK(builder->Finish().ok());
  CHECK(builder->Close().ok());
  std::string bytes = base::ReadWholeFile(files, "new").value();
  CHECK(files.Remove("new").ok());
  return bytes;
}

absl::StatusOr<std::shared_ptr<const table::TableReader>> Tables::Open(
    std::string_view bytes, const table::ReaderOptions& options) {
  engine::FileSystem& files = *env_.env().files;
  const auto file = files.Open(kPath, engine::OpenMode::kMustCreate).value();
  CHECK(file->Append(base::AsBytes(bytes)).ok());
  auto reader = table::TableReader::Open(files, kPath, kFile, options);
  CHECK(files.Remove(kPath).ok());
  return reader;
}

LookUp LookUpOf(std::shared_ptr<const table::TableReader> reader) {
  return
      [reader = std::move(reader)](const std::string& key,
                                   base::Sequence at) -> absl::StatusOr<std::optional<OwnedEntry>> {
        const auto found = reader->Get(key, at);
        if (!found.ok()) return found.status();
        if (!found->has_value()) return std::optional<OwnedEntry>();
        return OwnedEntry{key, (*found)->sequence, (*found)->kind, (*found)->value};
      };
}

std::string WhyNotAnswer(const absl::StatusOr<std::optional<OwnedEntry>>& answer,
                         const OwnedEntry* right, bool may_fail) {
  if (!answer.ok()) {
    return may_fail && absl::IsDataLoss(answer.status()) ? "" : answer.status().ToString();
  }
  if (answer->has_value() != (right != nullptr)) {
    return right == nullptr ? "a version that there is not" : "a version is not found";
  }
  return right == nullptr || **answer == *right ? "" : "another version";
}

Scanned Scan(const table::TableReader& reader, bool backward) {
  const auto iterator = reader.NewIterator();
  Scanned scanned;
  for (backward ? iterator->SeekToLast() : iterator->SeekToFirst(); iterator->Valid();
       backward ? iterator->Prev() : iterator->Next()) {
    scanned.entries.push_back(Own(iterator->entry()));
  }
  if (backward) std::reverse(scanned.entries.begin(), scanned.entries.end());
  scanned.status = iterator->status();
  return scanned;
}

}  // namespace kiban::suites
