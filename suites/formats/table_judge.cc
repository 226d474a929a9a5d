#include "suites/formats/table_judge.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "engine/table/format.h"
#include "engine/table/inspect.h"

namespace kiban::suites {
namespace {

using table::Iterator;
using table::OwnedEntry;
using table::TableReader;

constexpr uint64_t kCacheBytes = 1u << 20;

// Everything that can be asked of a table, and whether the answers are right.
class Reads {
 public:
  Reads(const TableReader& table, const std::vector<OwnedEntry>& entries)
      : table_(table), entries_(entries) {}

  void All() {
    Gets();
    Scan(true);
    Scan(false);
    for (size_t i = 0; i < entries_.size(); ++i) From(i);
  }

  const std::string& wrong() const { return wrong_; }
  const std::string& refusal() const { return refusal_; }

 private:
  void Wrong(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }
  bool MayTrust(const absl::Status& status) {
    if (status.ok()) return true;
    if (!absl::IsDataLoss(status)) Wrong(std::string(base::ToStd(status.message())));
    if (refusal_.empty()) refusal_ = base::ToStd(status.message());
    return false;
  }

  void Gets() {
    for (const OwnedEntry& entry : entries_) {
      Get(entry.key, entry.sequence);
      Get(entry.key, entry.sequence - 1);
      Get(entry.key, base::kSequenceMax);
      Get(entry.key + '\0', base::kSequenceMax);
      Get(entry.key.substr(0, entry.key.size() / 2), base::kSequenceMax);
    }
  }
  void Get(const std::string& key, base::Sequence at) {
    const auto found = table_.Get(key, at);
    if (!MayTrust(found.status())) return;
    for (const OwnedEntry& entry : entries_) {  // The newest that may be seen comes first.
      if (entry.key != key || entry.sequence > at) continue;
      const bool is_right = found->has_value() && (*found)->sequence == entry.sequence &&
                            (*found)->kind == entry.kind && (*found)->value == entry.value;
      return is_right ? void() : Wrong(absl::StrCat("get of ", key, " at ", at));
    }
    if (found->has_value()) Wrong(absl::StrCat("get of the absent ", key, " at ", at));
  }

  void Scan(bool is_forward) {
    const std::unique_ptr<Iterator> iterator = table_.NewIterator();
    is_forward ? iterator->SeekToFirst() : iterator->SeekToLast();
    size_t count = 0;
    while (iterator->Valid() && count < entries_.size()) {
      const size_t i = is_forward ? count : entries_.size() - 1 - count;
      if (table::Own(iterator->entry()) != entries_[i]) return Wrong(absl::StrCat("scan at ", i));
      ++count;
      is_forward ? iterator->Next() : iterator->Prev();
    }
    if (MayTrust(iterator->status()) && (count < entries_.size() || iterator->Valid())) {
      Wrong(is_forward ? "length of a forward scan" : "length of a backward scan");
    }
  }

  // To one entry from nowhere, a step on and back again; and to what stands before it.
  void From(size_t i) {
    const OwnedEntry& entry = entries_[i];
    const std::unique_ptr<Iterator> iterator = table_.NewIterator();
    iterator->Seek(entry.key, entry.sequence);
    Expect(*iterator, i);
    if (iterator->Valid()) iterator->Next();
    Expect(*iterator, i + 1);
    if (iterator->Valid()) iterator->Prev();
    if (i + 1 < entries_.size()) Expect(*iterator, i);
    const std::unique_ptr<Iterator> before = table_.NewIterator();
    before->SeekBefore(entry.key, entry.sequence);
    Expect(*before, i - 1);
  }
  void Expect(const Iterator& iterator, size_t i) {
    if (!MayTrust(iterator.status())) return;
    const bool is_right = iterator.Valid()
                              ? i < entries_.size() && table::Own(iterator.entry()) == entries_[i]
                              : i >= entries_.size();
    if (!is_right) Wrong(absl::StrCat("position at ", i));
  }

  const TableReader& table_;
  const std::vector<OwnedEntry>& entries_;
  std::string wrong_;
  std::string refusal_;
};

std::vector<Part> PartsOf(const std::string& file, bool has_point_index) {
  const size_t footer_bytes = has_point_index ? table::kIndexedFooterBytes : table::kFooterBytes;
  const size_t footer = file.size() - footer_bytes;
  std::vector<Part> parts;
  const auto add = [&](const std::string& name, size_t length_at) {
    const size_t begin = parts.empty() ? 0 : parts.back().end();
    parts.push_back({name, begin, LoadNumber(file, footer + length_at, 8)});
  };
  add("blocks", 0);
  if (has_point_index) add("point index", 56);
  add("filter", 8);
  add("index", 16);
  CHECK(parts.back().end() == footer);
  parts.push_back({"footer", footer, footer_bytes});
  return parts;
}

}  // namespace

TableJudge::TableJudge(TableForm form, std::vector<OwnedEntry> entries)
    : form_(std::move(form)),
      entries_(std::move(entries)),
      cache_(cache::BlockCache::Create(kCacheBytes)) {
  dir_.Build(entries_, form_.options);
  file_ = dir_.Bytes();
  parts_ = PartsOf(file_, has_point_index());
}

std::vector<Part> TableJudge::EachBlock() const {
  table::TableDir dir;
  dir.SetBytes(file_);
  const auto description =
      table::Describe(dir.files(), table::TableDir::Name(kFileNumber), kFileNumber).value();
  std::vector<Part> blocks;
  for (const table::BlockDescription& block : description.blocks) {
    blocks.push_back({"block", block.part.offset, block.part.bytes});
  }
  return blocks;
}

absl::StatusOr<std::shared_ptr<const TableReader>> TableJudge::Open() {
  return dir_.Open(table::ReaderOptions{.cache = cache_.get(), .point_index = form_.is_resident});
}

Judgement TableJudge::Judge(const std::string& file) {
  dir_.SetBytes(file);
  cache_->Forget(kFileNumber);
  const auto table = Open();
  if (absl::IsDataLoss(table.status())) return {Outcome::kRefused, {}};
  if (absl::IsUnimplemented(table.status())) return {Outcome::kUnknown, {}};
  if (!table.ok())
    return {Outcome::kUndetected, std::string(base::ToStd(table.status().message()))};
  return JudgeReads(**table, true);
}

Judgement TableJudge::JudgeAfterOpening(const std::string& file) {
  dir_.SetBytes(file_);
  cache_->Forget(kFileNumber);
  const auto table = Open().value();
  dir_.SetBytes(file);
  return JudgeReads(*table, false);
}

Judgement TableJudge::JudgeReads(const TableReader& table, bool is_verified) const {
  const auto undetected = [](std::string why) {
    return Judgement{Outcome::kUndetected, std::move(why)};
  };
  if (table.is_resident() != form_.is_resident) return undetected("not read as it was to be");
  Reads reads(table, entries_);
  reads.All();
  const absl::Status verified = is_verified ? table.Verify() : absl::OkStatus();
  if (!verified.ok() && !absl::IsDataLoss(verified) && !absl::IsUnimplemented(verified)) {
    return undetected(absl::StrCat("verification: ", verified.message()));
  }
  if (!reads.wrong().empty()) {
    return verified.ok() ? undetected(reads.wrong()) : Judgement{Outcome::kLate, reads.wrong()};
  }
  if (!reads.refusal().empty()) {
    if (is_verified && verified.ok()) return undetected("verified, but: " + reads.refusal());
    return {Outcome::kReadFails, reads.refusal()};
  }
  return {verified.ok() ? Outcome::kHarmless : Outcome::kOnlyVerify, {}};
}

std::vector<OwnedEntry> EntriesOfAllKinds() {
  using table::Kind;
  std::vector<OwnedEntry> entries = {
      {"", 40, Kind::kPut, "of the empty key"},
      {std::string("\0\0\xff", 3), 41, Kind::kPut, std::string("\0", 1)},
      {std::string(60, 'k'), 42, Kind::kPut, "long key"},
      {std::string(60, 'k') + "l", 43, Kind::kDelete, ""},
  };
  for (uint64_t i = 0; i < 12; ++i) {
    const std::string key = absl::StrCat("key", 10 + i);
    for (uint64_t version = 0; version <= (i == 5 ? 7 : i % 3); ++version) {
      const bool is_delete = (i + version) % 4 == 3;
      entries.push_back({key, 1 + i + 3 * version, is_delete ? Kind::kDelete : Kind::kPut,
                         is_delete ? "" : std::string(i, static_cast<char>('a' + version))});
    }
  }
  SortEntries(entries);
  return entries;
}

}  // namespace kiban::suites
