#include "engine/wal/writer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/base/status_util.h"
#include "engine/wal/format.h"

namespace kiban::wal {
namespace {

std::string EncodeHeader(uint64_t segment_id, base::Sequence first_sequence) {
  std::string fields;
  base::AppendLittle(fields, kMagic);
  base::AppendLittle(fields, kFormat);
  const size_t crc_at = fields.size();
  base::AppendLittle(fields, segment_id);
  base::AppendLittle(fields, first_sequence);
  std::string crc;
  base::AppendLittle(crc, base::PlacedCrc32(segment_id, 0, fields));
  return fields.insert(crc_at, crc);
}

}  // namespace

Writer::Writer(std::string path, uint64_t segment_id, base::Sequence first_sequence,
               std::unique_ptr<engine::File> file)
    : path_(std::move(path)),
      segment_id_(segment_id),
      first_sequence_(first_sequence),
      file_(std::move(file)) {}

absl::StatusOr<std::unique_ptr<Writer>> Writer::Create(engine::FileSystem& files, std::string path,
                                                       uint64_t segment_id,
                                                       base::Sequence first_sequence) {
  CHECK(first_sequence >= 1);
  CHECK(first_sequence <= base::kSequenceMax + 1);
  auto file = files.Open(path, engine::OpenMode::kMustCreate);
  if (!file.ok()) return file.status();
  std::unique_ptr<Writer> writer(
      new Writer(std::move(path), segment_id, first_sequence, *std::move(file)));
  const std::string header = EncodeHeader(segment_id, first_sequence);
  CHECK(header.size() == kHeaderBytes);
  const absl::Status status = writer->file_->Append(base::AsBytes(header));
  if (!status.ok()) return status;
  writer->size_bytes_ = kHeaderBytes;
  return writer;
}

absl::Status Writer::Add(base::Sequence first_sequence, base::Sequence durable_through,
                         std::string_view payload) {
  if (payload.empty() || payload.size() > kPayloadBytesMax) {
    return absl::InvalidArgumentError(absl::StrCat(path_, ": a record of ", payload.size(),
                                                   " bytes; 1 to ", kPayloadBytesMax, " fit"));
  }
  RETURN_IF_ERROR(MayWrite());
  CHECK(first_sequence <= base::kSequenceMax);
  CHECK(durable_through < first_sequence);
  CHECK(durable_through + 1 >= first_sequence_);
  CHECK(last_added_ == 0 ? first_sequence == first_sequence_ : first_sequence > last_added_);

  const size_t begin = added_.size();
  added_.append(sizeof(uint32_t), '\0');
  base::AppendLittle(added_, static_cast<uint32_t>(payload.size()));
  base::AppendLittle(added_, first_sequence);
  base::AppendLittle(added_, durable_through);
  added_.append(payload);
  const std::string_view covered = std::string_view(added_).substr(begin + sizeof(uint32_t));
  base::StoreLittle(added_.data() + begin,
                    base::PlacedCrc32(segment_id_, size_bytes_ + begin, covered));
  added_.resize(begin + FrameBytes(payload.size()), '\0');
  last_added_ = first_sequence;
  return absl::OkStatus();
}

absl::Status Writer::Flush() {
  RETURN_IF_ERROR(MayWrite());
  RETURN_IF_ERROR(Remember(file_->Append(base::AsBytes(added_))));
  size_bytes_ += added_.size();
  added_.clear();
  return absl::OkStatus();
}

absl::Status Writer::Append(base::Sequence first_sequence, base::Sequence durable_through,
                            std::string_view payload) {
  RETURN_IF_ERROR(Add(first_sequence, durable_through, payload));
  return Flush();
}

absl::Status Writer::Sync() {
  RETURN_IF_ERROR(MayWrite());
  return Remember(file_->Sync(engine::SyncKind::kData));
}

absl::Status Writer::Close() { return file_->Close(); }

absl::Status Writer::MayWrite() const {
  if (!failed_) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(path_, ": an earlier write failed"));
}

absl::Status Writer::Remember(absl::Status status) {
  failed_ = failed_ || !status.ok();
  return status;
}

}  // namespace kiban::wal
