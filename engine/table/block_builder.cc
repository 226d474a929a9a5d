#include "engine/table/block_builder.h"

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/table/format.h"

namespace kiban::table {

BlockBuilder::BlockBuilder(uint32_t restart_interval) : restart_interval_(restart_interval) {
  CHECK(restart_interval >= 1);
  CHECK(restart_interval <= kRestartIntervalMax);
}

uint64_t BlockBuilder::Add(const Entry& entry) {
  CHECK(entry.sequence <= base::kSequenceMax);
  CHECK(entry.key.size() <= kEntryBytesMax);
  CHECK(entry.value.size() <= kEntryBytesMax - entry.key.size());
  CHECK(entry.kind == Kind::kPut || entry.value.empty());
  const size_t common_bytes = base::CommonPrefixBytes(last_key_, entry.key);
  if (has_last_) {
    // Less: the key goes on, or differs upwards, or is the same and older.
    const auto order = Compare(std::string_view(last_key_).substr(common_bytes), last_sequence_,
                               entry.key.substr(common_bytes), entry.sequence);
    CHECK(order < 0);
  }

  const bool restarts = empty() || since_restart_ == restart_interval_;
  if (restarts) {
    CHECK(entries_.size() <= UINT32_MAX);
    restarts_.push_back(static_cast<uint32_t>(entries_.size()));
    since_restart_ = 0;
  }
  ++since_restart_;
  const size_t shared_bytes = restarts ? 0 : common_bytes;
  const std::string_view suffix = entry.key.substr(shared_bytes);
  base::AppendVarint(entries_, shared_bytes);
  base::AppendVarint(entries_, suffix.size());
  base::AppendVarint(entries_, entry.value.size());
  base::AppendLittle(entries_, entry.sequence << kKindBits | static_cast<uint64_t>(entry.kind));
  entries_.append(suffix);
  entries_.append(entry.value);

  last_key_.resize(common_bytes);
  last_key_.append(entry.key.substr(common_bytes));
  last_sequence_ = entry.sequence;
  has_last_ = true;
  return entries_.size() - entry.value.size();
}

uint64_t BlockBuilder::size_bytes() const {
  return entries_.size() + sizeof(uint32_t) * (restarts_.size() + 1) + kCrcBytes;
}

void BlockBuilder::Finish(std::string& to, uint64_t file_number, uint64_t offset) {
  CHECK(!empty());
  const size_t begin = to.size();
  to.append(entries_);
  for (const uint32_t restart : restarts_) base::AppendLittle(to, restart);
  base::AppendLittle(to, static_cast<uint32_t>(restarts_.size()));
  const std::string_view covered = std::string_view(to).substr(begin);
  base::AppendLittle(to, base::PlacedCrc32(file_number, offset, covered));
  entries_.clear();
  restarts_.clear();
  since_restart_ = 0;
}

}  // namespace kiban::table
