#include "engine/lsm/manifest_format.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/base/status_util.h"

namespace kiban::lsm {
namespace {

constexpr size_t kFormatAt = 8;
constexpr size_t kCrcAt = 12;
constexpr size_t kBodyBytesAt = 16;
static_assert(kBodyBytesAt + sizeof(uint64_t) == kManifestHeadBytes);

uint32_t CrcOf(std::string_view file) {
  const uint32_t before = base::PlacedCrc32(0, 0, file.substr(0, kCrcAt));
  return base::Crc32(before, file.substr(kBodyBytesAt));
}

void AppendTable(std::string& to, uint32_t level, const TableInfo& table) {
  base::AppendLittle(to, level);
  base::AppendLittle(to, static_cast<uint32_t>(table.smallest_key.size()));
  base::AppendLittle(to, table.number);
  base::AppendLittle(to, table.size_bytes);
  base::AppendLittle(to, table.entry_count);
  base::AppendLittle(to, table.smallest_sequence);
  base::AppendLittle(to, table.largest_sequence);
  base::AppendLittle(to, static_cast<uint32_t>(table.largest_key.size()));
  base::AppendLittle(to, uint32_t{0});
  to.append(table.smallest_key);
  to.append(table.largest_key);
}

// Takes a body apart from the front; what it returns past the end is nothing, and failed() tells.
class Taker {
 public:
  explicit Taker(std::string_view body) : rest_(body), whole_bytes_(body.size()) {}

  template <typename Int>
  Int Take() {
    const std::string_view bytes = TakeText(sizeof(Int));
    return failed_ ? Int{0} : base::LoadLittle<Int>(bytes.data());
  }
  std::string_view TakeText(uint64_t bytes) {
    if (failed_ || bytes > rest_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view text = rest_.substr(0, static_cast<size_t>(bytes));
    rest_.remove_prefix(static_cast<size_t>(bytes));
    return text;
  }

  bool failed() const { return failed_; }
  bool at_end() const { return rest_.empty(); }
  uint64_t offset() const { return kManifestHeadBytes + whole_bytes_ - rest_.size(); }

 private:
  std::string_view rest_;
  uint64_t whole_bytes_;
  bool failed_ = false;
};

// What is wrong with a table by itself; empty if nothing is.
std::string_view Complaint(const Manifest& manifest, const TableInfo& table) {
  if (table.number == 0 || table.number >= manifest.next_file) return "table number out of range";
  if (table.number == manifest.min_log) return "one number for a table and a log";
  if (table.size_bytes == 0 || table.entry_count == 0) return "empty table";
  if (table.smallest_sequence == 0 || table.smallest_sequence > table.largest_sequence ||
      table.largest_sequence > manifest.last_sequence) {
    return "table sequences out of range";
  }
  if (table.smallest_key > table.largest_key) return "table keys out of order";
  if (std::max(table.smallest_key.size(), table.largest_key.size()) > kKeyBytesMax) {
    return "table key too long";
  }
  return {};
}

std::string_view OrderComplaint(uint32_t level, const TableInfo& before, const TableInfo& after) {
  if (level > 0) {
    return before.largest_key < after.smallest_key ? std::string_view() : "tables overlap";
  }
  const bool ordered =
      before.number < after.number && before.largest_sequence < after.smallest_sequence;
  return ordered ? std::string_view() : "tables of level 0 out of order";
}

// The same for all of it: the rules that stand in manifest_format.h.
std::string_view Complaint(const Manifest& manifest) {
  if (manifest.next_file > kFileNumberMax) return "next_file out of range";
  if (manifest.min_log == 0 || manifest.min_log >= manifest.next_file) {
    return "min_log out of range";
  }
  if (manifest.last_sequence > base::kSequenceMax) return "last_sequence out of range";
  std::vector<uint64_t> numbers;
  for (uint32_t level = 0; level < kLevelCount; ++level) {
    const std::vector<TableInfo>& tables = manifest.levels[level];
    for (size_t i = 0; i < tables.size(); ++i) {
      std::string_view complaint = Complaint(manifest, tables[i]);
      if (complaint.empty() && i > 0) complaint = OrderComplaint(level, tables[i - 1], tables[i]);
      if (!complaint.empty()) return complaint;
      numbers.push_back(tables[i].number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  const bool distinct = std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
  return distinct ? std::string_view() : "two tables of one number";
}

absl::StatusOr<Manifest> DecodeBody(std::string_view path, std::string_view body) {
  Taker taker(body);
  Manifest manifest;
  manifest.min_log = taker.Take<uint64_t>();
  manifest.next_file = taker.Take<uint64_t>();
  manifest.last_sequence = taker.Take<uint64_t>();
  const auto table_count = taker.Take<uint64_t>();
  uint32_t level_before = 0;
  for (uint64_t i = 0; i < table_count && !taker.failed(); ++i) {
    const uint64_t offset = taker.offset();
    TableInfo table;
    const auto level = taker.Take<uint32_t>();
    const auto smallest_key_bytes = taker.Take<uint32_t>();
    table.number = taker.Take<uint64_t>();
    table.size_bytes = taker.Take<uint64_t>();
    table.entry_count = taker.Take<uint64_t>();
    table.smallest_sequence = taker.Take<uint64_t>();
    table.largest_sequence = taker.Take<uint64_t>();
    const auto largest_key_bytes = taker.Take<uint32_t>();
    const auto zero = taker.Take<uint32_t>();
    table.smallest_key = taker.TakeText(smallest_key_bytes);
    table.largest_key = taker.TakeText(largest_key_bytes);
    if (taker.failed()) break;
    if (level < level_before || level >= kLevelCount || zero != 0) {
      return base::Corruption(path, offset, "not a table in its order");
    }
    level_before = level;
    manifest.levels[level].push_back(std::move(table));
  }
  if (taker.failed()) return base::Corruption(path, taker.offset(), "manifest body is cut short");
  if (!taker.at_end()) return base::Corruption(path, taker.offset(), "bytes behind the manifest");
  return manifest;
}

}  // namespace

std::string EncodeManifest(const Manifest& manifest) {
  CHECK(Complaint(manifest).empty());
  uint64_t table_count = 0;
  for (const auto& tables : manifest.levels) table_count += tables.size();

  std::string file(kManifestHeadBytes, '\0');
  base::AppendLittle(file, manifest.min_log);
  base::AppendLittle(file, manifest.next_file);
  base::AppendLittle(file, manifest.last_sequence);
  base::AppendLittle(file, table_count);
  for (uint32_t level = 0; level < kLevelCount; ++level) {
    for (const TableInfo& table : manifest.levels[level]) AppendTable(file, level, table);
  }
  base::StoreLittle(file.data(), kManifestMagic);
  base::StoreLittle(file.data() + kFormatAt, kManifestFormat);
  base::StoreLittle(file.data() + kBodyBytesAt, uint64_t{file.size() - kManifestHeadBytes});
  base::StoreLittle(file.data() + kCrcAt, CrcOf(file));
  return file;
}

absl::StatusOr<Manifest> DecodeManifest(std::string_view path, std::string_view bytes) {
  if (bytes.size() < kManifestHeadBytes + kManifestBodyBytesMin) {
    return base::Corruption(path, bytes.size(), "manifest is cut short");
  }
  if (base::LoadLittle<uint64_t>(bytes.data()) != kManifestMagic) {
    return base::Corruption(path, 0, "not a manifest");
  }
  if (base::LoadLittle<uint32_t>(bytes.data() + kCrcAt) != CrcOf(bytes)) {
    return base::Corruption(path, kCrcAt, "manifest checksum");
  }
  // Behind the checksum, so that a newer format is told from damage.
  const auto format = base::LoadLittle<uint32_t>(bytes.data() + kFormatAt);
  if (format != kManifestFormat) {
    return absl::UnimplementedError(
        absl::StrCat(base::ToAbsl(path), ": manifest format ", format, " is not known here"));
  }
  const std::string_view body = bytes.substr(kManifestHeadBytes);
  if (base::LoadLittle<uint64_t>(bytes.data() + kBodyBytesAt) != body.size()) {
    return base::Corruption(path, kBodyBytesAt, "manifest of another length");
  }
  ASSIGN_OR_RETURN(Manifest manifest, DecodeBody(path, body));
  const std::string_view complaint = Complaint(manifest);
  if (!complaint.empty()) return base::Corruption(path, kManifestHeadBytes, complaint);
  return manifest;
}

}  // namespace kiban::lsm
