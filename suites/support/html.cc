#include "suites/support/html.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

using base::ToAbsl;

// Of the character that begins there; 0 if none does: not whole, longer than it need be, half of a
// pair, or beyond the last.
size_t CharacterBytes(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() - at < bytes) return 0;
  for (size_t i = at + 1; i < at + bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(at + 1);
  const bool too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool too_large = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90);
  return too_long || too_large ? 0 : bytes;
}

bool IsControl(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first == 0xc2) return static_cast<unsigned char>(character[1]) < 0xa0;
  return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
}

void AppendEscaped(std::string& to, std::string_view character) {
  switch (character[0]) {
    case '&':
      to += "&amp;";
      return;
    case '<':
      to += "&lt;";
      return;
    case '>':
      to += "&gt;";
      return;
    case '"':
      to += "&quot;";
      return;
    case '\'':
      to += "&#39;";
      return;
    default:
      to += character;
  }
}

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = CharacterBytes(text, at);
    const std::string_view character = text.substr(at, std::max<size_t>(bytes, 1));
    at += character.size();
    if (bytes > 0 && !IsControl(character)) {
      AppendEscaped(escaped, character);
      continue;
    }
    for (const char c : character) {
      absl::StrAppendFormat(&escaped, "\\x%02x", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

}  // namespace

Html::Html(std::initializer_list<Html> parts) {
  for (const Html& part : parts) *this += part;
}

Html& Html::operator+=(const Html& part) {
  text_ += part.text_;
  return *this;
}

Html Text(std::string_view text) {
  Html html;
  html.text_ = Escaped(text);
  return html;
}

Html Verbatim(std::string_view constant) {
  Html html;
  html.text_ = constant;
  return html;
}

Html Element(std::string_view name, const Attributes& attributes, const Html& content) {
  Html html;
  absl::StrAppend(&html.text_, "<", ToAbsl(name));
  for (const Attribute& attribute : attributes.list) {
    absl::StrAppend(&html.text_, " ", ToAbsl(attribute.name), "=\"", Escaped(attribute.value),
                    "\"");
  }
  absl::StrAppend(&html.text_, ">", content.text_, "</", ToAbsl(name), ">");
  return html;
}

Html Element(std::string_view name, const Html& content) { return Element(name, {}, content); }

}  // namespace kiban::suites
