#include "engine/table/filter.h"

#include <algorithm>
#include <bit>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/table/format.h"

namespace kiban::table {
namespace {

using base::LoadLittle;

constexpr uint64_t kWordBits = 64;

// ln 2 times the bits spent on a key makes the fewest false answers.
constexpr uint32_t ProbeCount(uint32_t bits_per_key) {
  return std::max(1u, bits_per_key * 69 / 100);
}
static_assert(ProbeCount(1) == 1 && ProbeCount(10) == 6 && ProbeCount(kFilterBitsPerKeyMax) == 22);

constexpr uint64_t BitCount(uint64_t key_count, uint32_t bits_per_key) {
  const uint64_t bits = std::max<uint64_t>(1, key_count * bits_per_key);
  return (bits + kWordBits - 1) / kWordBits * kWordBits;
}

// The bits of one key, one after the other.
class Probes {
 public:
  Probes(uint64_t hash, uint64_t bit_count)
      : position_(hash), step_(std::rotl(hash, 32) | 1), bit_count_(bit_count) {}
  // High half of a product: a position below bit_count, without a division.
  uint64_t Next() {
    const auto wide = static_cast<unsigned __int128>(position_) * bit_count_;
    position_ += step_;
    return static_cast<uint64_t>(wide >> 64);
  }

 private:
  uint64_t position_;
  uint64_t step_;
  uint64_t bit_count_;
};

}  // namespace

void Filter::Append(std::string& to, uint64_t file_number, uint64_t offset,
                    std::span<const uint64_t> hashes, uint32_t bits_per_key) {
  CHECK(bits_per_key >= 1);
  CHECK(bits_per_key <= kFilterBitsPerKeyMax);
  const size_t begin = to.size();
  const uint64_t bit_count = BitCount(hashes.size(), bits_per_key);
  to.append(static_cast<size_t>(bit_count / 8), '\0');
  auto* const bits = reinterpret_cast<unsigned char*>(to.data() + begin);
  const uint32_t probe_count = ProbeCount(bits_per_key);
  for (const uint64_t hash : hashes) {
    Probes probes(hash, bit_count);
    for (uint32_t i = 0; i < probe_count; ++i) {
      const uint64_t bit = probes.Next();
      bits[bit / 8] = static_cast<unsigned char>(bits[bit / 8] | 1u << (bit % 8));
    }
  }
  base::AppendLittle(to, uint64_t{hashes.size()});
  base::AppendLittle(to, bits_per_key);
  base::AppendLittle(to, probe_count);
  const std::string_view covered = std::string_view(to).substr(begin);
  base::AppendLittle(to, base::PlacedCrc32(file_number, offset, covered));
}

uint64_t Filter::EncodedBytes(uint64_t key_count, uint32_t bits_per_key) {
  return BitCount(key_count, bits_per_key) / 8 + kFilterTrailerBytes + kCrcBytes;
}

std::optional<Filter> Filter::Decode(uint64_t file_number, uint64_t offset,
                                     std::string_view section) {
  if (section.size() < kFilterTrailerBytes + kCrcBytes) return std::nullopt;
  const std::string_view covered = section.substr(0, section.size() - kCrcBytes);
  const char* const trailer = covered.data() + covered.size() - kFilterTrailerBytes;
  const auto crc = LoadLittle<uint32_t>(covered.data() + covered.size());
  if (crc != base::PlacedCrc32(file_number, offset, covered)) return std::nullopt;

  Filter filter;
  filter.key_count_ = LoadLittle<uint64_t>(trailer);
  filter.bits_per_key_ = LoadLittle<uint32_t>(trailer + 8);
  filter.probe_count_ = LoadLittle<uint32_t>(trailer + 12);
  if (filter.bits_per_key_ < 1 || filter.bits_per_key_ > kFilterBitsPerKeyMax) return std::nullopt;
  if (filter.probe_count_ != ProbeCount(filter.bits_per_key_)) return std::nullopt;
  // A key takes at least a bit: beyond that the product below could wrap.
  if (filter.key_count_ > uint64_t{section.size()} * 8) return std::nullopt;
  if (section.size() != EncodedBytes(filter.key_count_, filter.bits_per_key_)) return std::nullopt;
  filter.bits_.assign(covered.data(), covered.size() - kFilterTrailerBytes);
  return filter;
}

bool Filter::MayContain(uint64_t hash) const {
  const auto* const bits = reinterpret_cast<const unsigned char*>(bits_.data());
  Probes probes(hash, bit_count());
  for (uint32_t i = 0; i < probe_count_; ++i) {
    const uint64_t bit = probes.Next();
    if ((bits[bit / 8] >> (bit % 8) & 1) == 0) return false;
  }
  return true;
}

}  // namespace kiban::table
