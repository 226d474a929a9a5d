#include "models/complaint.h"

#include <cstddef>

namespace kiban::models {

std::string Quote(std::string_view bytes) {
  constexpr size_t kShownBytesMax = 24;
  constexpr char kHex[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : bytes.substr(0, kShownBytesMax)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      quoted += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  quoted += '"';
  if (bytes.size() > kShownBytesMax) quoted += "... of " + std::to_string(bytes.size()) + " bytes";
  return quoted;
}

}  // namespace kiban::models
