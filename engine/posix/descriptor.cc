#include "engine/posix/descriptor.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"

namespace kiban::posix {

namespace {

absl::StatusCode CodeOf(int error) {
  switch (error) {
    case ENOENT:
      return absl::StatusCode::kNotFound;
    case EEXIST:
      return absl::StatusCode::kAlreadyExists;
    case EACCES:
    case EBUSY:
    case EISDIR:
    case ENOTDIR:
    case ENOTEMPTY:
    case EPERM:
    case EROFS:
    case ETXTBSY:
    case EWOULDBLOCK:
    case EXDEV:
      return absl::StatusCode::kFailedPrecondition;
    case EINVAL:
    case ELOOP:
    case ENAMETOOLONG:
      return absl::StatusCode::kInvalidArgument;
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case EMLINK:
    case ENFILE:
    case ENOMEM:
    case ENOSPC:
      return absl::StatusCode::kResourceExhausted;
    case EBADMSG:  // What a file system with checksums says of a damaged block,
    case EUCLEAN:  // and of damaged structures of its own.
      return absl::StatusCode::kDataLoss;
    default:  // EIO and its kin: the device failed, and nothing is known of the bytes.
      return absl::StatusCode::kUnavailable;
  }
}

}  // namespace

absl::Status ErrnoStatus(int error, std::string_view what) {
  const char* const text = ::strerrordesc_np(error);
  return absl::Status(CodeOf(error),
                      absl::StrCat(base::ToAbsl(what), ": ", text == nullptr ? "error " : text,
                                   " (errno ", error, ")"));
}

absl::Status ErrnoStatus(int error, std::string_view path, uint64_t offset) {
  const std::string what = absl::StrCat(base::ToAbsl(path), ": offset ", offset);
  return ErrnoStatus(error, what);
}

int Descriptor::Close() {
  if (fd_ < 0) return 0;
  return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno;
}

}  // namespace kiban::posix
