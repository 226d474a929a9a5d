#include "suites/formats/seal.h"

#include <algorithm>
#include <string_view>

#include "engine/base/bytes.h"
#include "engine/base/crc32.h"

namespace kiban::suites {
namespace {

constexpr size_t kCrcBytes = 4;
constexpr size_t kFooterTailBytes = 24;
constexpr size_t kFooterBytesMin = 80;  // Format 3's; a longer one has a point index.

// The crc32 of [begin, end) with a hole for itself at `crc_at`.
void Seal(std::string& file, uint64_t file_number, size_t begin, size_t crc_at, size_t end) {
  const std::string_view all(file);
  const uint32_t before = base::PlacedCrc32(file_number, begin, all.substr(begin, crc_at - begin));
  const size_t behind = crc_at + kCrcBytes;
  base::StoreLittle(file.data() + crc_at, base::Crc32(before, all.substr(behind, end - behind)));
}

bool TakeFenceLength(std::string_view& from, uint64_t& block_bytes) {
  uint64_t shared_bytes = 0;
  uint64_t suffix_bytes = 0;
  uint64_t sequence = 0;
  if (!base::TakeVarint(from, block_bytes) || !base::TakeVarint(from, shared_bytes) ||
      !base::TakeVarint(from, suffix_bytes) || !base::TakeVarint(from, sequence) ||
      suffix_bytes > from.size()) {
    return false;
  }
  from.remove_prefix(static_cast<size_t>(suffix_bytes));
  return true;
}

void SealBlocks(std::string& table, uint64_t file_number, const Part& index, uint64_t data_bytes) {
  const std::string fences = table.substr(index.begin, index.bytes - kCrcBytes);
  std::string_view left = fences;
  std::string_view smallest_key;
  if (!base::TakeCounted(left, smallest_key)) return;
  uint64_t block_bytes = 0;
  for (uint64_t begin = 0; !left.empty() && TakeFenceLength(left, block_bytes);
       begin += block_bytes) {
    if (block_bytes < kCrcBytes || block_bytes > data_bytes - begin) return;
    SealPart(table, file_number, {"block", begin, block_bytes});
  }
}

}  // namespace

void SealPart(std::string& file, uint64_t file_number, const Part& part) {
  if (part.bytes < kCrcBytes) return;
  Seal(file, file_number, part.begin, part.end() - kCrcBytes, part.end());
}

void SealFooter(std::string& table, uint64_t file_number) {
  if (table.size() < kFooterTailBytes) return;
  const size_t end = table.size();
  const size_t footer_bytes = LoadNumber(table, end - kFooterTailBytes, 4);
  if (footer_bytes < kFooterTailBytes || footer_bytes > end) return;
  Seal(table, file_number, end - footer_bytes, end - 16, end);
}

void SealTable(std::string& table, uint64_t file_number) {
  SealFooter(table, file_number);
  if (table.size() < kFooterBytesMin) return;
  const size_t footer_bytes = LoadNumber(table, table.size() - kFooterTailBytes, 4);
  if (footer_bytes < kFooterBytesMin || footer_bytes > table.size()) return;
  const size_t footer = table.size() - footer_bytes;
  const uint64_t data_bytes = LoadNumber(table, footer, 8);
  const uint64_t filter_bytes = LoadNumber(table, footer + 8, 8);
  const uint64_t index_bytes = LoadNumber(table, footer + 16, 8);
  if (std::max({data_bytes, filter_bytes, index_bytes}) > footer) return;
  const uint64_t last_parts = filter_bytes + index_bytes;
  if (last_parts > footer - data_bytes || index_bytes < kCrcBytes) return;
  if (footer_bytes > kFooterBytesMin) {
    SealPart(table, file_number, {"point index", data_bytes, footer - last_parts - data_bytes});
  }
  const Part index{"index", footer - index_bytes, index_bytes};
  SealPart(table, file_number, {"filter", footer - last_parts, filter_bytes});
  SealPart(table, file_number, index);
  SealBlocks(table, file_number, index, data_bytes);
}

void SealManifest(std::string& manifest) {
  if (manifest.size() >= 16) Seal(manifest, 0, 0, 12, manifest.size());
}

void SealLogHeader(std::string& log, uint64_t segment_id) {
  if (log.size() >= 32) Seal(log, segment_id, 0, 12, 32);
}

void SealRecord(std::string& log, uint64_t segment_id, size_t begin) {
  if (log.size() < begin + 24) return;
  const uint64_t payload_bytes = LoadNumber(log, begin + 4, 4);
  if (payload_bytes > log.size() - begin - 24) return;
  const std::string_view covered = std::string_view(log).substr(begin + 4, 20 + payload_bytes);
  base::StoreLittle(log.data() + begin, base::PlacedCrc32(segment_id, begin, covered));
}

}  // namespace kiban::suites
