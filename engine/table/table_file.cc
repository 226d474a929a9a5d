#include "engine/table/table_file.h"

#include <algorithm>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/base/read_file.h"
#include "engine/base/status_util.h"
#include "engine/table/format.h"

namespace kiban::table {

absl::StatusOr<TableFile> TableFile::Open(engine::FileSystem& files, std::string path,
                                          uint64_t file_number) {
  TableFile table;
  table.path_ = std::move(path);
  table.file_number_ = file_number;
  ASSIGN_OR_RETURN(table.file_, files.Open(table.path_, engine::OpenMode::kRead));
  ASSIGN_OR_RETURN(table.size_bytes_, table.file_->Size());
  const uint64_t tail_bytes = std::min(table.size_bytes_, kTailBytes);
  RETURN_IF_ERROR(table.ExtendTail(table.size_bytes_ - tail_bytes));
  return table;
}

absl::Status TableFile::ExtendTail(uint64_t offset) {
  CHECK(offset <= size_bytes_);
  const uint64_t tail_offset = size_bytes_ - tail_.size();
  if (offset >= tail_offset) return absl::OkStatus();
  std::string before(static_cast<size_t>(tail_offset - offset), '\0');
  RETURN_IF_ERROR(base::ReadExactly(*file_, path_, offset, before));
  tail_.insert(0, before);
  return absl::OkStatus();
}

std::string_view TableFile::InTail(uint64_t offset, uint64_t bytes) const {
  const uint64_t tail_offset = size_bytes_ - tail_.size();
  CHECK(offset >= tail_offset);
  return std::string_view(tail_).substr(static_cast<size_t>(offset - tail_offset),
                                        static_cast<size_t>(bytes));
}

void TableFile::ForgetTail() {
  tail_.clear();
  tail_.shrink_to_fit();
}

absl::Status TableFile::Read(uint64_t offset, std::span<char> out) const {
  return base::ReadExactly(*file_, path_, offset, out);
}

bool TableFile::HasItsCrc(uint64_t offset, std::string_view block) const {
  CHECK(block.size() >= kCrcBytes);
  const std::string_view covered = block.substr(0, block.size() - kCrcBytes);
  const auto crc = base::LoadLittle<uint32_t>(covered.data() + covered.size());
  return crc == base::PlacedCrc32(file_number_, offset, covered);
}

}  // namespace kiban::table
