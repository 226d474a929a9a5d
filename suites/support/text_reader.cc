#include "suites/support/text_reader.h"

#include <charconv>

#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

constexpr size_t kPlainKeyBytesMax = 64;
constexpr size_t kRunBytesMin = 16;

constexpr std::string_view kBlanks = " \t";

bool IsBlank(char c) { return kBlanks.find(c) != std::string_view::npos; }

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// In one stride: a sweep writes down a dozen kilobytes of these for each life.
void AppendBytes(std::string& to, std::string_view bytes, char quote) {
  constexpr char kHex[] = "0123456789abcdef";
  const size_t before = to.size();
  to.resize(before + 4 * bytes.size());
  char* out = to.data() + before;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      *out++ = '\\';
      *out++ = 'x';
      *out++ = kHex[byte >> 4];
      *out++ = kHex[byte & 15];
      continue;
    }
    if (c == quote || c == '\\') *out++ = '\\';
    *out++ = c;
  }
  to.resize(static_cast<size_t>(out - to.data()));
}

size_t RunBytes(std::string_view key) {
  size_t run = 0;
  while (run < key.size() && key[key.size() - 1 - run] == key.back()) ++run;
  return run;
}

}  // namespace

void AppendKey(std::string& to, std::string_view key) {
  const size_t run = key.size() > kPlainKeyBytesMax ? RunBytes(key) : 0;
  const bool has_run = run >= kRunBytesMin;
  to += '"';
  AppendBytes(to, key.substr(0, has_run ? key.size() - run : key.size()), '"');
  to += '"';
  if (!has_run) return;
  to += "+'";
  AppendBytes(to, key.substr(key.size() - 1), '\'');
  to += "'*" + std::to_string(run);
}

void TextReader::SkipBlanks() {
  while (at_ < line_.size() && IsBlank(line_[at_])) ++at_;
}

bool TextReader::AtEnd() {
  SkipBlanks();
  return at_ == line_.size();
}

std::string_view TextReader::PeekWord() {
  SkipBlanks();
  const std::string_view rest = line_.substr(at_);
  return rest.substr(0, rest.find_first_of(kBlanks));
}

bool TextReader::TakeWord(std::string_view word) {
  if (word.empty() || PeekWord() != word) return false;
  at_ += word.size();
  return true;
}

absl::StatusOr<uint64_t> TextReader::Number(std::string_view expected, uint64_t min, uint64_t max) {
  SkipBlanks();
  const std::string_view rest = line_.substr(at_);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  const auto taken = static_cast<size_t>(end - rest.data());
  const bool ends = taken == rest.size() || IsBlank(rest[taken]);
  if (error != std::errc() || !ends || number < min || number > max) {
    return Expected(std::string(expected) + " from " + std::to_string(min) + " to " +
                    std::to_string(max));
  }
  at_ += taken;
  return number;
}

absl::StatusOr<std::string> TextReader::Key() {
  SkipBlanks();
  if (!line_.substr(at_).starts_with('"')) return Expected("a key in double quotes");
  ++at_;
  std::string key;
  while (true) {
    if (at_ == line_.size()) return Expected("a closing double quote");
    if (line_[at_] == '"') break;
    ASSIGN_OR_RETURN(const char c, Byte('"'));
    key += c;
  }
  ++at_;
  if (line_.substr(at_).starts_with('+')) RETURN_IF_ERROR(Run(key));
  if (at_ < line_.size() && !IsBlank(line_[at_])) return Expected("a blank after the key");
  key_bytes_ += key.size();
  if (key.size() > kKeyBytesMax || key_bytes_ > kLineKeyBytesMax) {
    return Expected("keys of at most " + std::to_string(kKeyBytesMax) + " bytes each and " +
                    std::to_string(kLineKeyBytesMax) + " in one line before this");
  }
  return key;
}

absl::StatusOr<char> TextReader::Byte(char quote) {
  const char c = line_[at_];
  if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
    return Expected("a printable byte or \\xNN");
  }
  if (c != '\\') {
    ++at_;
    return c;
  }
  const std::string_view escape = line_.substr(at_, 4);
  if (escape.size() >= 2 && (escape[1] == '\\' || escape[1] == quote)) {
    at_ += 2;
    return escape[1];
  }
  const bool is_hex = escape.size() == 4 && escape[1] == 'x' && HexDigit(escape[2]) >= 0 &&
                      HexDigit(escape[3]) >= 0;
  if (!is_hex) return Expected("an escape: \\\\, a quote or \\x and two of 0-9a-f");
  at_ += 4;
  return static_cast<char>(HexDigit(escape[2]) * 16 + HexDigit(escape[3]));
}

// +'x'*90000
absl::Status TextReader::Run(std::string& key) {
  constexpr std::string_view kExpected = "a run of one byte, as in +'x'*90000";
  if (!line_.substr(at_).starts_with("+'") || line_.size() < at_ + 3) return Expected(kExpected);
  at_ += 2;
  ASSIGN_OR_RETURN(const char c, Byte('\''));
  if (!line_.substr(at_).starts_with("'*")) return Expected(kExpected);
  at_ += 2;
  ASSIGN_OR_RETURN(const uint64_t count, Number("a length", 0, kKeyBytesMax - key.size()));
  key.append(static_cast<size_t>(count), c);
  return absl::OkStatus();
}

absl::Status TextReader::Expected(std::string_view what) const {
  constexpr size_t kShownBytesMax = 24;
  std::string text = "expected " + std::string(what) + " in column " + std::to_string(at_ + 1);
  if (at_ >= line_.size()) {
    text += ", where the line ends";
  } else {
    text += ", found ";
    AppendKey(text, line_.substr(at_, kShownBytesMax));
  }
  return absl::InvalidArgumentError(text);
}

}  // namespace kiban::suites
