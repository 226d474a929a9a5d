#include "suites/toy_engine/toy_db.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"

namespace kiban::suites::toy {

namespace {

constexpr char kPut = 1;
constexpr char kDelete = 2;
constexpr size_t kRecordHeadBytes = 8;
constexpr uint64_t kFileNumber = 0;  // For the checksums: there is only one log.

void AppendOperation(std::string& payload, std::string_view key, const std::string* value) {
  payload.push_back(value == nullptr ? kDelete : kPut);
  base::AppendCounted(payload, key);
  if (value != nullptr) base::AppendCounted(payload, *value);
}

std::string PayloadHead(base::Sequence last_sequence) {
  std::string payload;
  base::AppendLittle<uint64_t>(payload, last_sequence);
  return payload;
}

absl::Status AppendRecord(engine::File& log, uint64_t offset, std::string_view payload) {
  std::string body;
  base::AppendLittle(body, static_cast<uint32_t>(payload.size()));
  body.append(payload);
  std::string record;
  base::AppendLittle(record, base::PlacedCrc32(kFileNumber, offset, body));
  record.append(body);
  return log.WriteAt(offset, base::AsBytes(record));
}

// The payload of the record at `offset`, or nothing if there is no valid record.
std::optional<std::string_view> PayloadAt(std::string_view log, uint64_t offset) {
  const std::string_view rest = log.substr(static_cast<size_t>(offset));
  if (rest.size() < kRecordHeadBytes) return std::nullopt;
  const auto crc = base::LoadLittle<uint32_t>(rest.data());
  const auto payload_bytes = base::LoadLittle<uint32_t>(rest.data() + 4);
  if (payload_bytes > rest.size() - kRecordHeadBytes) return std::nullopt;
  const std::string_view body = rest.substr(4, 4 + size_t{payload_bytes});
  if (base::PlacedCrc32(kFileNumber, offset, body) != crc) return std::nullopt;
  return body.substr(4);
}

std::string_view ParentOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace

ToyDb::ToyDb(const engine::Env& env, std::string dir, const ToyOptions& options)
    : dir_(std::move(dir)), files_(env.files), options_(options) {}

std::string ToyDb::PathOf(std::string_view name) const {
  return absl::StrCat(dir_, "/", base::ToAbsl(name));
}

absl::Status ToyDb::Open() {
  RETURN_IF_ERROR(MakeDirDurably());
  {
    SPAN("toy.lock");
    ASSIGN_OR_RETURN(lock_, files_->Lock(PathOf("LOCK")));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<engine::File> log, ReadLog());
  RETURN_IF_ERROR(Adopt(std::move(log)));
  broken_ = absl::OkStatus();
  return absl::OkStatus();
}

// The name may be there and not be durable, left by an open that was cut.
absl::Status ToyDb::MakeDirDurably() {
  SPAN("toy.make_dir");
  const absl::Status made = files_->MakeDir(dir_);
  if (!made.ok() && !absl::IsAlreadyExists(made)) return made;
  return files_->SyncDir(ParentOf(dir_));
}

// Null if there is no log.
absl::StatusOr<std::unique_ptr<engine::File>> ToyDb::ReadLog() {
  SPAN("toy.read_log");
  auto log = files_->Open(PathOf("LOG"), engine::OpenMode::kMustExist);
  if (absl::IsNotFound(log.status())) return nullptr;
  RETURN_IF_ERROR(log.status());
  ASSIGN_OR_RETURN(const uint64_t size_bytes, (*log)->Size());
  std::string bytes(static_cast<size_t>(size_bytes), '\0');
  ASSIGN_OR_RETURN(const size_t count, (*log)->ReadAt(0, std::as_writable_bytes(std::span(bytes))));
  bytes.resize(count);
  RETURN_IF_ERROR(Replay(bytes));
  return log;
}

absl::Status ToyDb::Replay(std::string_view log) {
  uint64_t offset = 0;
  while (const std::optional<std::string_view> payload = PayloadAt(log, offset)) {
    if (absl::Status applied = Apply(*payload); !applied.ok()) {
      return base::Corruption(PathOf("LOG"), offset, base::ToStd(applied.message()));
    }
    offset += kRecordHeadBytes + payload->size();
  }
  if (offset == 0) return base::Corruption(PathOf("LOG"), 0, "no valid first record");
  if (offset < log.size()) MARK("toy.torn_tail");
  log_bytes_ = log.size();
  return absl::OkStatus();
}

absl::Status ToyDb::Apply(std::string_view payload) {
  const absl::Status malformed = absl::DataLossError("malformed record under a valid checksum");
  if (payload.size() < sizeof(uint64_t)) return malformed;
  last_sequence_ = base::LoadLittle<uint64_t>(payload.data());
  payload.remove_prefix(sizeof(uint64_t));
  while (!payload.empty()) {
    const char kind = payload.front();
    payload.remove_prefix(1);
    std::string_view key;
    std::string_view value;
    if (kind != kPut && kind != kDelete) return malformed;
    if (!base::TakeCounted(payload, key)) return malformed;
    if (kind == kPut) {
      if (!base::TakeCounted(payload, value)) return malformed;
      contents_.insert_or_assign(std::string(key), std::string(value));
    } else if (const auto entry = contents_.find(key); entry != contents_.end()) {
      contents_.erase(entry);
    }
  }
  return absl::OkStatus();
}

absl::Status ToyDb::Adopt(std::unique_ptr<engine::File>) { return WriteNewLog(); }

absl::Status ToyDb::WriteNewLog() {
  std::string payload = PayloadHead(last_sequence_);
  for (const auto& [key, value] : contents_) AppendOperation(payload, key, &value);
  std::unique_ptr<engine::File> fresh;
  {
    SPAN("toy.write_new");
    ASSIGN_OR_RETURN(fresh, files_->Open(PathOf("LOG.new"), engine::OpenMode::kTruncate));
    RETURN_IF_ERROR(AppendRecord(*fresh, 0, payload));
  }
  RETURN_IF_ERROR(Publish(*fresh));
  MARK("toy.rewritten");
  ++rewrites_;
  log_ = std::move(fresh);  // Closes the old one; whatever it held is in the new one.
  log_bytes_ = new_log_bytes_ = kRecordHeadBytes + payload.size();
  return absl::OkStatus();
}

absl::Status ToyDb::Publish(engine::File& fresh) {
  {
    SPAN("toy.sync_new");
    RETURN_IF_ERROR(fresh.Sync(engine::SyncKind::kData));
  }
  {
    SPAN("toy.rename");
    RETURN_IF_ERROR(files_->Rename(PathOf("LOG.new"), PathOf("LOG")));
  }
  SPAN("toy.sync_dir");
  return files_->SyncDir(dir_);
}

absl::Status ToyDb::SyncLog() {
  SPAN("toy.sync_log");
  return log_->Sync(engine::SyncKind::kData);
}

absl::StatusOr<base::Sequence> ToyDb::Write(std::span<const ToyWrite> batch, bool sync) {
  if (batch.empty()) return absl::InvalidArgumentError("an empty batch");
  RETURN_IF_ERROR(CheckUsable());
  if (log_bytes_ >= std::max(options_.rewrite_bytes, 2 * new_log_bytes_))
    RETURN_IF_ERROR(Rewrite());
  std::string payload = PayloadHead(last_sequence_ + batch.size());
  for (const ToyWrite& write : batch) {
    AppendOperation(payload, write.key, write.value.has_value() ? &*write.value : nullptr);
  }
  {
    SPAN("toy.append");
    RETURN_IF_ERROR(Poison(AppendRecord(*log_, log_bytes_, payload)));
  }
  log_bytes_ += kRecordHeadBytes + payload.size();
  if (sync) RETURN_IF_ERROR(Sync());
  const base::Sequence first = last_sequence_ + 1;
  CHECK(Apply(payload).ok());
  return first;
}

absl::Status ToyDb::Sync() {
  RETURN_IF_ERROR(CheckUsable());
  return Poison(SyncLog());
}

absl::Status ToyDb::Rewrite() {
  RETURN_IF_ERROR(CheckUsable());
  return Poison(WriteNewLog());
}

absl::Status ToyDb::Close() {
  if (log_ == nullptr) return CheckUsable();
  broken_ = absl::FailedPreconditionError(absl::StrCat(dir_, ": closed"));
  const absl::Status closed = log_->Close();
  log_.reset();
  lock_.reset();
  return closed;
}

absl::Status ToyDb::CheckUsable() const { return broken_; }

// Remembers that something failed: what the log holds is in doubt from then on.
absl::Status ToyDb::Poison(absl::Status status) {
  if (!status.ok()) {
    broken_ = absl::FailedPreconditionError(
        absl::StrCat(dir_, ": read-only after an error: ", status.message()));
  }
  return status;
}

}  // namespace kiban::suites::toy
