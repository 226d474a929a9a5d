#include "engine/base/read_file.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"

namespace kiban::base {

absl::Status ReadExactly(engine::File& file, std::string_view path, uint64_t offset,
                         std::span<char> out) {
  ASSIGN_OR_RETURN(const size_t count, file.ReadAt(offset, std::as_writable_bytes(out)));
  if (count == out.size()) return absl::OkStatus();
  const std::string what = absl::StrCat("read ", count, " bytes of ", out.size());
  return Corruption(path, offset, what);
}

absl::StatusOr<std::string> ReadWholeFile(engine::FileSystem& files, std::string_view path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<engine::File> file,
                   files.Open(path, engine::OpenMode::kRead));
  ASSIGN_OR_RETURN(const uint64_t size_bytes, file->Size());
  std::string contents(static_cast<size_t>(size_bytes), '\0');
  if (!contents.empty()) RETURN_IF_ERROR(ReadExactly(*file, path, 0, contents));
  return contents;
}

}  // namespace kiban::base
