// A position in one checked block.
//
// Keys lean on the ones before them, so the cursor decodes a run, from one restart to the next, at
// a time and moves inside it both ways for nothing. It allocates only to outgrow the largest run so
// far.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/block.h"
#include "engine/table/entry.h"

namespace kiban::table {

class BlockCursor {
 public:
  // Not Valid() until it is moved. `block` has passed CheckBlock() and outlives the cursor's use.
  void Reset(std::string_view block);
  // No longer Valid(), in the same block.
  void Leave() { position_ = kNowhere; }

  bool Valid() const { return position_ < items_.size(); }
  void SeekToFirst();
  void SeekToLast();
  void Seek(std::string_view key, base::Sequence sequence);
  void SeekBefore(std::string_view key, base::Sequence sequence);
  void Next();  // Needs Valid(), like what follows.
  void Prev();
  const Entry& entry() const { return entry_; }

 private:
  static constexpr uint32_t kNoRun = UINT32_MAX;
  static constexpr size_t kNowhere = SIZE_MAX;

  struct Item {
    size_t key_offset;  // In keys_.
    size_t key_bytes;
    base::Sequence sequence;
    Kind kind;
    std::string_view value;
  };

  void LoadRun(uint32_t run);
  std::string_view KeyOf(const Item& item) const {
    return {keys_.data() + item.key_offset, item.key_bytes};
  }
  // In the loaded run: how many of its entries stand before the target.
  size_t CountBefore(std::string_view key, base::Sequence sequence) const;
  void StandAt(size_t position);

  BlockView view_;
  uint32_t run_ = kNoRun;
  std::vector<Item> items_;  // Of the loaded run.
  std::string keys_;         // The keys of items_, one after the other.
  size_t position_ = kNowhere;
  Entry entry_;
};

}  // namespace kiban::table
