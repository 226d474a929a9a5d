#include "engine/table/builder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/table/block_builder.h"
#include "engine/table/filter.h"
#include "engine/table/footer.h"
#include "engine/table/format.h"
#include "engine/table/index.h"
#include "engine/table/point_record.h"
#include "engine/table/prefix.h"

namespace kiban::table {
namespace {

class SortedBuilder final : public Builder {
 public:
  SortedBuilder(std::unique_ptr<engine::File> file, uint64_t file_number,
                const BuilderOptions& options)
      : file_(std::move(file)),
        file_number_(file_number),
        options_(options),
        block_(options.restart_interval) {
    CHECK(options.block_bytes >= 1);
    CHECK(options.filter_bits_per_key >= 1);
    CHECK(options.filter_bits_per_key <= kFilterBitsPerKeyMax);
    key_hashes_.reserve(options.expected_entries);
    if (!options.point_index) return;
    point_index_ = pointindex::Builder::Make(*options.point_index);
    point_index_->Reserve(options.expected_entries);
  }

  absl::Status Add(const Entry& entry) override {
    CHECK(!finished_);
    if (!status_.ok()) return status_;
    // A block is closed by the entry behind it, which the fence between them must not reach.
    if (block_.size_bytes() >= options_.block_bytes && !block_.empty()) {
      CloseBlockBefore(entry);
      if (buffer_.size() >= kWriteBytes) WriteBuffer();
    }
    if (footer_.entry_count == 0) {
      index_.Begin(entry.key);
      footer_.sequence_min = entry.sequence;
    }
    const bool begins_key = footer_.entry_count == 0 || block_.last_key() != entry.key;
    if (begins_key) key_hashes_.push_back(Filter::HashOf(entry.key));
    const uint64_t value_at = end() + block_.Add(entry);
    if (point_index_ != nullptr) {
      point_index_->Add(PointRecord(entry, begins_key, key_hashes_.back(), value_at));
    }
    ++footer_.entry_count;
    footer_.sequence_min = std::min(footer_.sequence_min, entry.sequence);
    footer_.sequence_max = std::max(footer_.sequence_max, entry.sequence);
    return status_;
  }

  absl::Status Finish() override {
    CHECK(!finished_);
    CHECK(footer_.entry_count > 0);
    finished_ = true;
    if (!status_.ok()) return status_;
    CloseBlock(std::string(block_.last_key()), block_.last_sequence());
    footer_.block_count = index_.fence_count();
    footer_.data_bytes = end();
    if (point_index_ != nullptr) FinishPointIndex();
    Filter::Append(buffer_, file_number_, end(), key_hashes_, options_.filter_bits_per_key);
    footer_.filter_bytes = end() - footer_.filter_offset();
    index_.Finish(buffer_, file_number_, end());
    footer_.index_bytes = end() - footer_.index_offset();
    AppendFooter(buffer_, file_number_, footer_);
    WriteBuffer();
    return status_;
  }

  absl::Status Sync() override {
    if (status_.ok()) status_ = file_->Sync(engine::SyncKind::kData);
    return status_;
  }

  absl::Status Close() override { return file_->Close(); }

  uint64_t entry_count() const override { return footer_.entry_count; }

  uint64_t size_bytes() const override {
    if (finished_ || footer_.entry_count == 0) return end();
    const uint64_t block_bytes = block_.size_bytes();
    return end() + block_bytes +
           Filter::EncodedBytes(key_hashes_.size(), options_.filter_bits_per_key) +
           index_.SizeWith(block_.last_key(), block_.last_sequence(), block_bytes) + kFooterBytes +
           (point_index_ != nullptr ? kPointIndexBytesPerKey * key_hashes_.size() : 0);
  }

 private:
  static constexpr uint64_t kPointIndexBytesPerKey = 16;

  // Of what has been encoded: the file and the buffer.
  uint64_t end() const { return written_bytes_ + buffer_.size(); }

  void CloseBlockBefore(const Entry& next) {
    const std::string_view last = block_.last_key();
    if (last == next.key) return CloseBlock(std::string(last), block_.last_sequence());
    CloseBlock(ShortestSeparator(last, next.key), 0);
  }

  void CloseBlock(const std::string& fence_key, base::Sequence fence_sequence) {
    const uint64_t offset = end();
    block_.Finish(buffer_, file_number_, offset);
    index_.Add(fence_key, fence_sequence, end() - offset);
  }

  void FinishPointIndex() {
    std::optional<std::string> section = point_index_->Finish(file_number_, end());
    if (!section.has_value()) return;
    footer_.point_index_bytes = section->size();
    footer_.layout = options_.point_index->layout;
    if (section->size() < kWriteBytes) {
      buffer_.append(*section);
      return;
    }
    WriteBuffer();
    buffer_ = *std::move(section);
    WriteBuffer();
  }

  void WriteBuffer() {
    if (status_.ok()) status_ = file_->Append(base::AsBytes(buffer_));
    written_bytes_ += buffer_.size();
    buffer_.clear();
  }

  std::unique_ptr<engine::File> file_;
  uint64_t file_number_;
  BuilderOptions options_;
  absl::Status status_;  // Of the file; an error sticks.
  bool finished_ = false;
  std::string buffer_;  // Encoded, not yet written.
  uint64_t written_bytes_ = 0;
  BlockBuilder block_;
  IndexBuilder index_;
  std::vector<uint64_t> key_hashes_;
  std::unique_ptr<pointindex::Builder> point_index_;  // Null for format 3.
  Footer footer_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Builder>> Builder::Create(engine::FileSystem& files,
                                                         const std::string& path,
                                                         uint64_t file_number,
                                                         const BuilderOptions& options) {
  auto file = files.Open(path, engine::OpenMode::kMustCreate);
  if (!file.ok()) return file.status();
  return std::make_unique<SortedBuilder>(*std::move(file), file_number, options);
}

}  // namespace kiban::table
