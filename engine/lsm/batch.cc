#include "engine/lsm/batch.h"

#include <algorithm>

#include "engine/base/bytes.h"
#include "engine/base/status_util.h"

namespace kiban::lsm {
namespace {

bool TakeKind(std::string_view& from, table::Kind& kind) {
  const auto byte = static_cast<uint8_t>(from.front());
  from.remove_prefix(1);
  kind = static_cast<table::Kind>(byte);
  return kind == table::Kind::kPut || kind == table::Kind::kDelete;
}

}  // namespace

void Batch::Put(std::string_view key, std::string_view value) {
  Append(table::Kind::kPut, key);
  base::AppendCounted(payload_, value);
}

void Batch::Delete(std::string_view key) {
  Append(table::Kind::kDelete, key);
  ++delete_count_;
}

void Batch::Clear() {
  payload_.clear();
  count_ = 0;
  delete_count_ = 0;
  longest_key_bytes_ = 0;
}

void Batch::Append(table::Kind kind, std::string_view key) {
  payload_.push_back(static_cast<char>(kind));
  base::AppendCounted(payload_, key);
  ++count_;
  longest_key_bytes_ = std::max<uint64_t>(longest_key_bytes_, key.size());
}

absl::Status DecodeBatch(
    std::string_view payload,
    const std::function<absl::Status(table::Kind, std::string_view, std::string_view)>& visit) {
  if (payload.empty()) return absl::DataLossError("batch without an operation");
  while (!payload.empty()) {
    table::Kind kind;
    if (!TakeKind(payload, kind)) return absl::DataLossError("batch with an unknown operation");
    std::string_view key;
    if (!base::TakeCounted(payload, key)) return absl::DataLossError("batch with a broken key");
    std::string_view value;
    if (kind == table::Kind::kPut && !base::TakeCounted(payload, value)) {
      return absl::DataLossError("batch with a broken value");
    }
    RETURN_IF_ERROR(visit(kind, key, value));
  }
  return absl::OkStatus();
}

}  // namespace kiban::lsm
