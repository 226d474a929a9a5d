// Commands to be copied into a shell.
#pragma once

#include <string>
#include <string_view>

namespace kiban::suites {

// `word` so that a shell takes it for one: as it is, or in single quotes.
std::string ShellWord(std::string_view word);

}  // namespace kiban::suites
