// HTML that is whole by construction: each element is closed where it was opened, and text becomes
// HTML only by being escaped.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace kiban::suites {

struct Attribute {
  std::string_view name;
  std::string value;
};
struct Attributes {
  Attributes(std::initializer_list<Attribute> attributes) : list(attributes) {}
  std::vector<Attribute> list;
};

class Html {
 public:
  Html() = default;
  Html(std::initializer_list<Html> parts);

  Html& operator+=(const Html& part);
  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }

 private:
  friend Html Text(std::string_view text);
  friend Html Verbatim(std::string_view html);
  friend Html Element(std::string_view name, const Attributes& attributes, const Html& content);
  std::string text_;
};

// Bytes that are no text (control characters, broken UTF-8) are shown as \x1b.
Html Text(std::string_view text);
// For constants of the program alone: what stands in a <style>, elements that have no end.
Html Verbatim(std::string_view html);
Html Element(std::string_view name, const Attributes& attributes, const Html& content);
Html Element(std::string_view name, const Html& content);

}  // namespace kiban::suites
