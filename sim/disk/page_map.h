// The bytes of one file as a persistent map of 512-byte sectors: copying the map shares everything,
// a write copies only what it changes and what others still share. One thread; counts are not
// atomic.
//
// A radix tree: branches of eight, below them pages, below those sectors; null reads as zeros.
// The unit of storage may never show in a result: a map reads like a sparse array of zeros.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <variant>

#include "sim/disk/shared.h"

namespace kiban::sim {

inline constexpr uint64_t kPageBytes = 4096;   // The unit of history (D1).
inline constexpr uint64_t kSectorBytes = 512;  // The unit of tearing (D2).
inline constexpr uint64_t kSectorsPerPage = kPageBytes / kSectorBytes;

using Sector = std::array<std::byte, kSectorBytes>;

struct Page {
  std::array<Shared<Sector>, kSectorsPerPage> sectors;
  uint32_t version = 0;  // How often it was written; outlives what Zero() does.

  // `offset` counts from the start of the page; `data` stays inside it.
  void Write(uint64_t offset, std::span<const std::byte> data);
  // False if the two read alike.
  static bool SectorsDiffer(const Shared<Sector>& a, const Shared<Sector>& b);
};

class PageMap {
 public:
  const Page* Find(uint64_t page) const;  // Null if it was never written.
  Shared<Page>& At(uint64_t page);        // Null inside if it was never written.
  void Read(uint64_t offset, std::span<std::byte> out) const;
  // Makes [begin_bytes, end_bytes) read as zeros. Versions stay.
  void Zero(uint64_t begin_bytes, uint64_t end_bytes);

 private:
  static constexpr uint32_t kFanoutBits = 3;
  static constexpr uint64_t kFanout = 1 << kFanoutBits;
  struct Branch;
  using Pages = std::array<Shared<Page>, kFanout>;
  using Branches = std::array<Shared<Branch>, kFanout>;
  struct Branch {
    std::variant<Pages, Branches> below;
  };

  bool Reaches(uint64_t page) const { return page >> (kFanoutBits * height_) == 0; }
  static uint64_t Digit(uint64_t page, uint32_t level) {
    return (page >> (kFanoutBits * (level - 1))) & (kFanout - 1);
  }
  // The branch at `level` (1 is just above the pages) in `place`, made if missing.
  static Branch& OwnBranch(Shared<Branch>& place, uint32_t level);
  static void ForEachPage(const Branch& branch, uint32_t level, uint64_t prefix, uint64_t first,
                          const std::function<void(uint64_t page, const Page&)>& visit);

  Shared<Branch> root_;
  uint32_t height_ = 0;  // Levels of branches; 0 if there is no root.
};

}  // namespace kiban::sim
