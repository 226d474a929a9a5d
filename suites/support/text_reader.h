// Reads one line of text that people may have edited, word by word. Every error is kInvalidArgument
// and says what was expected, what was found and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kiban::suites {

// What a text may ask to be made in memory: one key, and all keys of a line.
inline constexpr size_t kKeyBytesMax = size_t{1} << 20;
inline constexpr size_t kLineKeyBytesMax = size_t{16} << 20;

// "k07", with \xNN for what is not printable; of more than 64 bytes with a run of one byte at the
// end of at least 16: "k07"+'x'*90000.
void AppendKey(std::string& to, std::string_view key);

class TextReader {
 public:
  explicit TextReader(std::string_view line) : line_(line) {}

  bool AtEnd();
  // The next word, up to a blank, without taking it; empty at the end.
  std::string_view PeekWord();
  // Takes the next word if it is this one.
  bool TakeWord(std::string_view word);
  // A decimal number, to a blank or the end.
  absl::StatusOr<uint64_t> Number(std::string_view expected, uint64_t min, uint64_t max);
  // As AppendKey() writes it.
  absl::StatusOr<std::string> Key();
  // The error that something else stands here.
  absl::Status Expected(std::string_view what) const;

 private:
  void SkipBlanks();
  // One byte, perhaps escaped, before `quote`.
  absl::StatusOr<char> Byte(char quote);
  absl::Status Run(std::string& key);

  std::string_view line_;
  size_t at_ = 0;
  size_t key_bytes_ = 0;
};

}  // namespace kiban::suites
