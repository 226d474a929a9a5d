#include "engine/table/prefix.h"

#include "engine/base/bytes.h"
#include "engine/base/check.h"

namespace kiban::table {
namespace {

unsigned ByteAt(std::string_view text, size_t at) { return static_cast<unsigned char>(text[at]); }

// `text` up to `at`, whose byte is raised by one.
std::string RaisedAt(std::string_view text, size_t at) {
  std::string raised(text.substr(0, at + 1));
  raised.back() = static_cast<char>(ByteAt(text, at) + 1);
  return raised;
}

}  // namespace

std::string ShortestSeparator(std::string_view last, std::string_view next) {
  CHECK(last < next);
  const size_t shared = base::CommonPrefixBytes(last, next);
  // Nothing shorter than shared + 1 bytes lies between: it would be a prefix of both, so before
  // `last`.
  if (shared + 1 >= last.size()) return std::string(last);
  if (shared + 1 < next.size()) return std::string(next.substr(0, shared + 1));
  // `next` ends at the byte in which they differ, and cannot be cut shorter.
  if (ByteAt(next, shared) - ByteAt(last, shared) >= 2) return RaisedAt(last, shared);
  for (size_t at = shared + 1; at + 1 < last.size(); ++at) {
    if (ByteAt(last, at) != 0xff) return RaisedAt(last, at);
  }
  return std::string(last);
}

}  // namespace kiban::table
