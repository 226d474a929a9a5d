// SHA-256 (FIPS 180-4), so that people can check golden files without us: `sha256sum -c`.
#pragma once

#include <string>
#include <string_view>

namespace kiban::tools {

// 64 hexadecimal digits.
std::string Sha256(std::string_view bytes);

}  // namespace kiban::tools
