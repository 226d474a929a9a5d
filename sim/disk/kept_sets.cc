#include "sim/disk/kept_sets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>
#include <vector>

#include "engine/base/check.h"

namespace kiban::sim {
namespace {

// For each pending operation those before it that it cannot be kept without: the direct ones.
class Needs {
 public:
  explicit Needs(const std::vector<MicroOp>& pending) : needs_(pending.size()) {
    for (size_t i = 0; i < pending.size(); ++i) {
      const MicroOp& op = pending[i];
      if (op.IsPage()) {
        AddPage(i, op);
      } else if (op.IsSize()) {
        AddSize(i, op);
      } else {
        AddName(i, op);
      }
    }
  }

  // Keeps as little more as makes it legal.
  void CompleteUpward(std::vector<bool>& kept) const {
    for (size_t i = needs_.size(); i-- > 0;) {
      if (!kept[i]) continue;
      for (const size_t need : needs_[i]) kept[need] = true;
    }
  }

  // Loses as little more as makes it legal.
  void CompleteDownward(std::vector<bool>& kept) const {
    for (size_t i = 0; i < needs_.size(); ++i) {
      const auto is_lost = [&](size_t need) { return !kept[need]; };
      if (std::any_of(needs_[i].begin(), needs_[i].end(), is_lost)) kept[i] = false;
    }
  }

 private:
  struct Cut {
    uint64_t page;
    size_t index;
  };

  // `last` becomes `i`, which needs what it was before.
  template <typename Map, typename Key>
  void Follow(size_t i, Map& last, const Key& key) {
    const auto [entry, is_new] = last.try_emplace(key, i);
    if (!is_new) needs_[i].push_back(std::exchange(entry->second, i));
  }

  void AddPage(size_t i, const MicroOp& op) {
    Follow(i, last_of_page_, std::pair(op.inode, op.page));
    const std::vector<Cut>& cuts = cuts_[op.inode];
    const auto cut = std::find_if(cuts.rbegin(), cuts.rend(),
                                  [&](const Cut& each) { return each.page <= op.page; });
    if (cut != cuts.rend()) needs_[i].push_back(cut->index);
  }

  void AddSize(size_t i, const MicroOp& op) {
    Follow(i, last_size_, op.inode);
    if (op.kind == MicroKind::kShrink) cuts_[op.inode].push_back({op.size_bytes / kPageBytes, i});
  }

  void AddName(size_t i, const MicroOp& op) {
    if (op.kind == MicroKind::kAdd) made_[op.inode] = i;
    if (op.kind == MicroKind::kDel) {
      const std::vector<size_t>& inside = inside_[op.inode];
      needs_[i].insert(needs_[i].end(), inside.begin(), inside.end());
    }
    AddSlot(i, op.names->slot);
    if (op.kind == MicroKind::kRename) AddSlot(i, op.names->from);
  }

  void AddSlot(size_t i, const Slot& slot) {
    Follow(i, last_of_slot_, std::pair(slot.dir, slot.name()));
    inside_[slot.dir].push_back(i);
    const auto made = made_.find(slot.dir);
    if (made != made_.end()) needs_[i].push_back(made->second);
  }

  std::vector<std::vector<size_t>> needs_;
  std::map<std::pair<InodeId, uint64_t>, size_t> last_of_page_;
  std::map<InodeId, size_t> last_size_;
  std::map<InodeId, std::vector<Cut>> cuts_;
  std::map<std::pair<InodeId, std::string_view>, size_t> last_of_slot_;
  std::map<InodeId, size_t> made_;                 // The pending kAdd of a directory.
  std::map<InodeId, std::vector<size_t>> inside_;  // What changes names in a directory.
};

// Draws one set. Each method is one shape: it says what it would like, Needs makes it legal.
class Cut {
 public:
  Cut(const Disk& disk, const Rng& rng)
      : disk_(disk), rng_(rng), pending_(disk.pending()), needs_(pending_) {}

  std::vector<bool> Draw(KeptShape shape) const {
    switch (shape) {
      case KeptShape::kNone:
        return All(false);
      case KeptShape::kAll:
        return All(true);
      case KeptShape::kPrefix:
        return Prefix();
      case KeptShape::kOneLost:
        return AllButOne(true);
      case KeptShape::kOneKept:
        return AllButOne(false);
      case KeptShape::kPerFile:
        return PerFile();
      case KeptShape::kNamesOnly:
        return Where([](const MicroOp& op) { return op.IsName(); });
      case KeptShape::kBytesOnly:
        return Where([](const MicroOp& op) { return !op.IsName(); });
      case KeptShape::kNewestFile:
        return NewestFile();
      case KeptShape::kRandom:
        return Random();
    }
    CHECK(false);
    return {};
  }

  KeptSet WithTears(const std::vector<bool>& kept) const;

 private:
  struct Chance {
    uint64_t numerator, denominator;
  };
  static Chance DrawChance(Rng rng) {
    constexpr std::array<Chance, 5> kChances = {{{0, 1}, {1, 20}, {1, 2}, {19, 20}, {1, 1}}};
    return kChances[rng.Below(kChances.size())];
  }
  static bool Happens(Chance chance, Rng rng) {
    return rng.Chance(chance.numerator, chance.denominator);
  }

  Rng OpRng(std::string_view stream, size_t i) const {
    return rng_.Stream(stream).Fork(disk_.Key(pending_[i]));
  }
  Rng FileRng(std::string_view stream, size_t i) const {
    return rng_.Stream(stream).Fork(disk_.label(pending_[i].inode).Key());
  }

  std::vector<bool> All(bool kept) const { return std::vector<bool>(pending_.size(), kept); }

  template <typename Predicate>
  std::vector<bool> Where(Predicate predicate) const {
    std::vector<bool> kept;
    for (const MicroOp& op : pending_) kept.push_back(predicate(op));
    needs_.CompleteDownward(kept);
    return kept;
  }

  // One operation, each as likely as the others; without the others it stays the one.
  size_t Pick(std::string_view stream) const {
    size_t picked = 0;
    uint64_t highest = 0;
    for (size_t i = 0; i < pending_.size(); ++i) {
      const uint64_t priority = OpRng(stream, i).Next();
      if (priority < highest) continue;
      highest = priority;
      picked = i;
    }
    return picked;
  }

  std::vector<bool> Prefix() const {
    std::vector<bool> kept = All(false);
    std::fill(kept.begin(), kept.begin() + static_cast<ptrdiff_t>(Pick("prefix")) + 1, true);
    return kept;
  }

  std::vector<bool> AllButOne(bool rest) const {
    std::vector<bool> kept = All(rest);
    kept[Pick("one")] = !rest;
    rest ? needs_.CompleteDownward(kept) : needs_.CompleteUpward(kept);
    return kept;
  }

  std::vector<bool> PerFile() const {
    std::vector<bool> kept = All(false);
    for (size_t i = 0; i < kept.size(); ++i) kept[i] = FileRng("file", i).Chance(1, 2);
    needs_.CompleteDownward(kept);
    return kept;
  }

  // The hole of a log switch: all names, but bytes only of the file that was begun last.
  std::vector<bool> NewestFile() const {
    std::vector<InodeId> begun;  // In order of their first pending bytes.
    for (const MicroOp& op : pending_) {
      const bool seen = std::find(begun.begin(), begun.end(), op.inode) != begun.end();
      if (!op.IsName() && !seen) begun.push_back(op.inode);
    }
    return Where([&](const MicroOp& op) {
      return op.IsName() || (!begun.empty() && op.inode == begun.back());
    });
  }

  // One keep chance for the cut; half of the files go their own way with one of their own.
  std::vector<bool> Random() const {
    const Chance common = DrawChance(rng_.Stream("chance"));
    std::vector<bool> kept = All(false);
    for (size_t i = 0; i < kept.size(); ++i) {
      Rng file_rng = FileRng("file chance", i);
      const bool follows = file_rng.Chance(1, 2);
      kept[i] = Happens(follows ? common : DrawChance(file_rng), OpRng("op", i));
    }
    const bool upward = rng_.Stream("completion").Chance(1, 2);
    upward ? needs_.CompleteUpward(kept) : needs_.CompleteDownward(kept);
    return kept;
  }

  const Disk& disk_;
  const Rng rng_;
  const std::vector<MicroOp>& pending_;
  const Needs needs_;
};

// Which of the changed sectors stay old: at least one and not all.
uint8_t DrawTear(uint8_t changed_sectors, Rng rng) {
  std::array<uint8_t, kSectorsPerPage> changed{};
  size_t count = 0;
  for (uint32_t i = 0; i < kSectorsPerPage; ++i) {
    const auto bit = static_cast<uint8_t>(1u << i);
    if ((changed_sectors & bit) != 0) changed[count++] = bit;
  }
  CHECK(count >= 2);
  const uint64_t shape = rng.Below(9);
  const uint64_t at = rng.Between(1, count - 1);
  const uint64_t subset = rng.Between(1, (uint64_t{1} << count) - 2);
  uint8_t torn = 0;
  for (size_t i = 0; i < count; ++i) {
    bool old = false;
    if (shape < 4) {
      old = i >= at;  // The prefix is new.
    } else if (shape < 6) {
      old = i < at;  // The suffix is new.
    } else if (shape < 8) {
      old = i == at - 1;  // One is missing.
    } else {
      old = ((subset >> i) & 1) != 0;
    }
    if (old) torn |= changed[i];
  }
  return torn;
}

KeptSet Cut::WithTears(const std::vector<bool>& kept) const {
  constexpr size_t kPagesNearTheCut = 4;
  KeptSet fates;
  for (const bool each : kept) fates.push_back({.kept = each});
  if (!rng_.Stream("tears").Chance(3, 10)) return fates;
  std::vector<std::pair<InodeId, uint64_t>> near;  // The last kept versions, latest first.
  for (size_t i = pending_.size(); i-- > 0 && near.size() < kPagesNearTheCut;) {
    const MicroOp& op = pending_[i];
    if (!kept[i] || !op.IsPage()) continue;
    const std::pair page(op.inode, op.page);
    if (std::find(near.begin(), near.end(), page) != near.end()) continue;
    near.push_back(page);
    Rng rng = OpRng("tear", i);
    if (std::popcount(op.changed_sectors) < 2) continue;
    fates[i].torn_sectors = DrawTear(op.changed_sectors, rng);
  }
  return fates;
}

}  // namespace

std::string_view Name(KeptShape shape) {
  switch (shape) {
    case KeptShape::kNone:
      return "none";
    case KeptShape::kAll:
      return "all";
    case KeptShape::kPrefix:
      return "prefix";
    case KeptShape::kOneLost:
      return "one lost";
    case KeptShape::kOneKept:
      return "one kept";
    case KeptShape::kPerFile:
      return "per file";
    case KeptShape::kNamesOnly:
      return "names only";
    case KeptShape::kBytesOnly:
      return "bytes only";
    case KeptShape::kNewestFile:
      return "newest file";
    case KeptShape::kRandom:
      return "random";
  }
  CHECK(false);
  return "";
}

DrawnKeptSet DrawKeptSet(const Disk& disk, const Rng& rng) {
  if (disk.pending().empty()) return {KeptShape::kNone, {}};
  constexpr auto kStructured = static_cast<uint64_t>(KeptShape::kRandom);  // One each, then random.
  const uint64_t drawn = rng.Stream("shape").Below(2 * kStructured);
  const auto shape = static_cast<KeptShape>(std::min(drawn, kStructured));
  const Cut cut(disk, rng);
  return {shape, cut.WithTears(cut.Draw(shape))};
}

KeptSet LegalPart(const Disk& disk, KeptSet wish) {
  const std::vector<MicroOp>& pending = disk.pending();
  CHECK(wish.size() == pending.size());
  std::vector<bool> kept;
  for (const Fate& fate : wish) kept.push_back(fate.kept);
  Needs(pending).CompleteDownward(kept);
  std::map<std::pair<InodeId, uint64_t>, size_t> last_of_page;
  for (size_t i = 0; i < pending.size(); ++i) {
    wish[i].kept = kept[i];
    if (!kept[i]) wish[i].torn_sectors = 0;
    if (!kept[i] || !pending[i].IsPage()) continue;
    const auto [last, is_first] = last_of_page.try_emplace({pending[i].inode, pending[i].page}, i);
    if (!is_first) wish[std::exchange(last->second, i)].torn_sectors = 0;
  }
  return wish;
}

}  // namespace kiban::sim
