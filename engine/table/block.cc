#include "engine/table/block.h"

#include "engine/base/check.h"

namespace kiban::table {
namespace {

// The three lengths of an entry; mostly one byte each.
bool TakeLengths(std::string_view& from, uint32_t& shared, uint32_t& suffix, uint32_t& value) {
  if (from.size() >= 3) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(from.data());
    if ((bytes[0] | bytes[1] | bytes[2]) < 0x80) {
      shared = bytes[0];
      suffix = bytes[1];
      value = bytes[2];
      from.remove_prefix(3);
      return true;
    }
  }
  return base::TakeVarint32(from, shared) && base::TakeVarint32(from, suffix) &&
         base::TakeVarint32(from, value);
}

// What is wrong with an entry by itself, if anything.
const char* CheckEntry(const RawEntry& entry) {
  switch (entry.kind()) {
    case Kind::kPut:
      return nullptr;
    case Kind::kDelete:
      return entry.value.empty() ? nullptr : "a delete has a value";
  }
  return "an entry is of no known kind";
}

// The entry at `offset` against the restarts: it is the next of them, or it may lean on the one
// before.
class RestartCheck {
 public:
  RestartCheck(const char* restarts, uint32_t count) : restarts_(restarts), count_(count) {}

  bool Passes(size_t offset, uint32_t shared_bytes) {
    if (seen_ < count_ && base::LoadLittle<uint32_t>(restarts_ + size_t{4} * seen_) == offset) {
      ++seen_;
      since_restart_ = 1;
      return shared_bytes == 0;
    }
    return seen_ > 0 && ++since_restart_ <= kRestartIntervalMax;
  }
  bool SawAll() const { return seen_ == count_; }

 private:
  const char* restarts_;
  uint32_t count_;
  uint32_t seen_ = 0;
  uint32_t since_restart_ = 0;
};

}  // namespace

bool TakeEntry(std::string_view& from, RawEntry& entry) {
  uint32_t suffix_bytes = 0;
  uint32_t value_bytes = 0;
  if (!TakeLengths(from, entry.shared_bytes, suffix_bytes, value_bytes)) return false;
  if (from.size() < uint64_t{kTagBytes} + suffix_bytes + value_bytes) return false;
  entry.tag = base::LoadLittle<uint64_t>(from.data());
  entry.suffix = {from.data() + kTagBytes, suffix_bytes};
  entry.value = {from.data() + kTagBytes + suffix_bytes, value_bytes};
  from.remove_prefix(kTagBytes + size_t{suffix_bytes} + value_bytes);
  return true;
}

const char* CheckBlock(std::string_view block, BlockEnds& ends) {
  if (block.size() < 8) return "too short for a block";
  const auto restart_count = base::LoadLittle<uint32_t>(block.data() + block.size() - 4);
  if (restart_count == 0 || restart_count > (block.size() - 4) / 4)
    return "impossible restart count";
  const size_t entries_bytes = block.size() - 4 - size_t{4} * restart_count;
  RestartCheck restarts(block.data() + entries_bytes, restart_count);

  ends = BlockEnds();
  RawEntry entry;
  std::string_view left = block.substr(0, entries_bytes);
  while (!left.empty()) {
    const size_t offset = entries_bytes - left.size();
    if (!TakeEntry(left, entry)) return "an entry is cut short";
    if (const char* const wrong = CheckEntry(entry)) return wrong;
    if (!restarts.Passes(offset, entry.shared_bytes)) return "restarts and entries disagree";
    if (entry.shared_bytes > ends.last_key.size()) return "an entry shares more than there is";
    if (ends.entry_count == 0) {
      ends.first_key = entry.suffix;
      ends.first_sequence = entry.sequence();
    } else {
      const auto order = Compare(std::string_view(ends.last_key).substr(entry.shared_bytes),
                                 ends.last_sequence, entry.suffix, entry.sequence());
      if (order >= 0) return "entries are out of order";
    }
    ends.last_key.resize(entry.shared_bytes);
    ends.last_key.append(entry.suffix);
    ends.last_sequence = entry.sequence();
    ++ends.entry_count;
  }
  return restarts.SawAll() ? nullptr : "a restart points at no entry";
}

uint32_t BlockView::FindRestart(std::string_view key, base::Sequence sequence) const {
  uint32_t low = 0;
  uint32_t high = restart_count_;  // The first known not to stand before the target.
  RawEntry entry;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    std::string_view from = From(middle);
    CHECK(TakeEntry(from, entry));
    if (Compare(entry.suffix, entry.sequence(), key, sequence) < 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// Walks from the last whole key before the target without putting keys together: all that matters
// of the entry before is that it stands before the target and how many bytes it has in common with
// it.
bool FindInBlock(std::string_view block, std::string_view key, base::Sequence at, RawEntry& found) {
  const BlockView view(block);
  std::string_view left = view.From(view.FindRestart(key, at));
  size_t matched_bytes = 0;
  while (!left.empty()) {
    CHECK(TakeEntry(left, found));
    // It has, like the one before, a smaller byte than the target at `matched_bytes`.
    if (found.shared_bytes > matched_bytes) continue;
    const std::string_view rest = key.substr(found.shared_bytes);
    const size_t common_bytes = base::CommonPrefixBytes(found.suffix, rest);
    const auto order =
        Compare(found.suffix.substr(common_bytes), found.sequence(), rest.substr(common_bytes), at);
    if (order >= 0) return common_bytes == rest.size() && common_bytes == found.suffix.size();
    matched_bytes = found.shared_bytes + common_bytes;
  }
  return false;
}

}  // namespace kiban::table
