#include "engine/table/index.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/base/status_util.h"
#include "engine/table/entry.h"
#include "engine/table/format.h"

namespace kiban::table {
namespace {

using base::AppendVarint;

uint64_t VarintBytes(uint64_t value) {
  uint64_t count = 1;
  for (; value >= 0x80; value >>= 7) ++count;
  return count;
}

struct RawFence {
  uint64_t block_bytes = 0;
  uint32_t shared_bytes = 0;
  std::string_view suffix;
  base::Sequence sequence = 0;
};

bool TakeFence(std::string_view& from, RawFence& fence) {
  uint32_t suffix_bytes = 0;
  if (!base::TakeVarint(from, fence.block_bytes) || !base::TakeVarint32(from, fence.shared_bytes) ||
      !base::TakeVarint32(from, suffix_bytes) || !base::TakeVarint(from, fence.sequence) ||
      suffix_bytes > from.size()) {
    return false;
  }
  fence.suffix = from.substr(0, suffix_bytes);
  from.remove_prefix(suffix_bytes);
  return true;
}

}  // namespace

void IndexBuilder::Begin(std::string_view smallest_key) {
  CHECK(bytes_.empty());
  base::AppendCounted(bytes_, smallest_key);
  last_key_ = smallest_key;
}

void IndexBuilder::Add(std::string_view key, base::Sequence sequence, uint64_t block_bytes) {
  CHECK(fence_count_ < UINT32_MAX);
  const size_t shared_bytes = base::CommonPrefixBytes(last_key_, key);
  AppendVarint(bytes_, block_bytes);
  AppendVarint(bytes_, shared_bytes);
  AppendVarint(bytes_, key.size() - shared_bytes);
  AppendVarint(bytes_, sequence);
  bytes_.append(key.substr(shared_bytes));
  last_key_.resize(shared_bytes);
  last_key_.append(key.substr(shared_bytes));
  ++fence_count_;
}

uint64_t IndexBuilder::SizeWith(std::string_view key, base::Sequence sequence,
                                uint64_t block_bytes) const {
  const size_t shared_bytes = base::CommonPrefixBytes(last_key_, key);
  const size_t suffix_bytes = key.size() - shared_bytes;
  return bytes_.size() + VarintBytes(block_bytes) + VarintBytes(shared_bytes) +
         VarintBytes(suffix_bytes) + VarintBytes(sequence) + suffix_bytes + kCrcBytes;
}

void IndexBuilder::Finish(std::string& to, uint64_t file_number, uint64_t offset) {
  to.append(bytes_);
  base::AppendLittle(to, base::PlacedCrc32(file_number, offset, bytes_));
}

Fence::Fence(std::string_view key, base::Sequence sequence, uint64_t block_end,
             std::string& long_keys)
    : block_end_(block_end), sequence_(sequence), inline_bytes_(kElsewhere), inline_{} {
  if (key.size() <= kInlineBytesMax) {
    inline_bytes_ = static_cast<uint16_t>(key.size());
    key.copy(inline_, key.size());
    return;
  }
  base::StoreLittle(inline_, uint64_t{long_keys.size()});
  base::StoreLittle(inline_ + 8, uint64_t{key.size()});
  long_keys.append(key);
}

std::string_view Fence::key(const std::string& long_keys) const {
  if (inline_bytes_ != kElsewhere) return {inline_, inline_bytes_};
  const auto offset = base::LoadLittle<uint64_t>(inline_);
  const auto bytes = base::LoadLittle<uint64_t>(inline_ + 8);
  return {long_keys.data() + offset, static_cast<size_t>(bytes)};
}

absl::StatusOr<Index> Index::Decode(std::string_view path, uint64_t file_number,
                                    const Footer& footer, std::string_view section) {
  const uint64_t offset = footer.index_offset();
  const auto wrong = [&](std::string_view what) { return base::Corruption(path, offset, what); };
  if (section.size() < kCrcBytes) return wrong("too short for an index");
  std::string_view left = section.substr(0, section.size() - kCrcBytes);
  const auto crc = base::LoadLittle<uint32_t>(left.data() + left.size());
  if (crc != base::PlacedCrc32(file_number, offset, left)) {
    return wrong("the index's checksum does not hold");
  }

  Index index;
  std::string_view smallest_key;
  if (!base::TakeCounted(left, smallest_key)) return wrong("the smallest key is cut short");
  index.smallest_key_ = smallest_key;
  index.fences_.reserve(footer.block_count);  // IsPlausible(): not more than the section can hold.
  std::string key(smallest_key);
  uint64_t block_end = 0;
  RawFence raw;
  for (uint32_t i = 0; i < footer.block_count; ++i) {
    if (!TakeFence(left, raw)) return wrong("a fence is cut short");
    if (raw.shared_bytes > key.size()) return wrong("a fence shares more than there is");
    if (raw.block_bytes < kBlockBytesMin || raw.block_bytes > footer.data_bytes - block_end) {
      return wrong("a fence has an impossible block length");
    }
    // A fence is no longer than a key of its block: what is kept of all of them fits in the file.
    if (raw.shared_bytes + raw.suffix.size() > raw.block_bytes) return wrong("a fence is too long");
    // The first may be the smallest key itself, whose sequence is not known here.
    const auto order = std::string_view(key).substr(raw.shared_bytes).compare(raw.suffix);
    const bool ascends =
        order < 0 || (order == 0 && (i == 0 || raw.sequence < index.sequence(i - 1)));
    if (!ascends || raw.sequence > base::kSequenceMax) return wrong("fences are out of order");
    key.resize(raw.shared_bytes);
    key.append(raw.suffix);
    block_end += raw.block_bytes;
    index.fences_.emplace_back(key, raw.sequence, block_end, index.long_keys_);
  }
  if (!left.empty() || block_end != footer.data_bytes) {
    return wrong("the index does not cover the blocks");
  }
  return index;
}

size_t Index::Find(std::string_view key, base::Sequence sequence) const {
  const auto stands_before = [&](const Fence& fence) {
    return Compare(fence.key(long_keys_), fence.sequence(), key, sequence) < 0;
  };
  const auto found = std::partition_point(fences_.begin(), fences_.end(), stands_before);
  return static_cast<size_t>(found - fences_.begin());
}

}  // namespace kiban::table
