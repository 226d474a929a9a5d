#include "engine/table/table_walk.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "engine/table/block.h"
#include "engine/table/point_record.h"

namespace kiban::table {

using base::Corruption;

absl::StatusOr<bool> TableWalk::Next(pointindex::Record& record) {
  while (left_.empty()) {
    if (next_block_ == sections_.index.block_count()) {
      RETURN_IF_ERROR(End());
      return false;
    }
    RETURN_IF_ERROR(EnterBlock());
  }
  RawEntry raw;
  CHECK(TakeEntry(left_, raw));
  // The next version of a key shares all of it, but where a run begins.
  const bool begins_key = entry_count_ == 0 ||
                          raw.shared_bytes + raw.suffix.size() != key_.size() ||
                          std::string_view(key_).substr(raw.shared_bytes) != raw.suffix;
  if (begins_key) RETURN_IF_ERROR(BeginKey(raw.suffix, raw.shared_bytes));
  ++entry_count_;
  sequence_min_ = std::min(sequence_min_, raw.sequence());
  sequence_max_ = std::max(sequence_max_, raw.sequence());
  const auto value_at = static_cast<uint64_t>(raw.value.data() - block_);
  record = PointRecord({key_, raw.sequence(), raw.kind(), raw.value}, begins_key, hash_,
                       block_offset_ + value_at);
  return true;
}

absl::Status TableWalk::EnterBlock() {
  block_offset_ = sections_.index.block_offset(next_block_);
  ASSIGN_OR_RETURN(const std::string_view block, blocks_(next_block_));
  ++next_block_;
  block_ = block.data();
  left_ = BlockView(block).From(0);
  return absl::OkStatus();
}

absl::Status TableWalk::BeginKey(std::string_view suffix, size_t shared_bytes) {
  key_.resize(shared_bytes);
  key_.append(suffix);
  ++key_count_;
  hash_ = Filter::HashOf(key_);
  if (sections_.filter.MayContain(hash_)) return absl::OkStatus();
  return Corruption(sections_.file.path(), sections_.footer.filter_offset(),
                    "the filter denies a key");
}

absl::Status TableWalk::End() const {
  const Footer& footer = sections_.footer;
  if (key_count_ != sections_.filter.key_count()) {
    return Corruption(sections_.file.path(), footer.filter_offset(), "the filter is of other keys");
  }
  if (entry_count_ != footer.entry_count || sequence_min_ != footer.sequence_min ||
      sequence_max_ != footer.sequence_max) {
    return Corruption(sections_.file.path(), footer.footer_offset(),
                      "the footer is of other entries");
  }
  return absl::OkStatus();
}

}  // namespace kiban::table
