#include "suites/support/html_figures.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

using base::ToAbsl;

constexpr double kBarPercentMin = 0.6;
constexpr double kColumnWidth = 10;
constexpr double kFigureHeight = 100;

Html Data(std::string_view place, const std::string& value, std::string_view shown) {
  return Element("data", {{"value", value}, {"data-json", std::string(place)}}, Text(shown));
}

Html Caption(std::string_view caption) { return Element("caption", Text(caption)); }

// Long names may be broken behind their parts.
Html RowHead(std::string_view label, std::string_view note = {}) {
  Html content;
  for (size_t from = 0; from < label.size();) {
    const size_t end = std::min(label.find_first_of("._/", from), label.size() - 1) + 1;
    content += Text(label.substr(from, end - from));
    if (end < label.size()) content += Verbatim("<wbr>");
    from = end;
  }
  if (!note.empty()) {
    content += Text(" ");
    content += Element("em", Text(note));
  }
  return Element("th", {{"scope", "row"}}, content);
}

// Hidden from those who have it read to them: the number stands before it.
Html Bar(uint64_t value, uint64_t largest) {
  const Attribute hidden = {"aria-hidden", "true"};
  if (value == 0) return Element("td", {{"class", "bar"}, hidden}, {});
  const double percent = 100 * static_cast<double>(value) / static_cast<double>(largest);
  const std::string width = absl::StrFormat("width:%.1f%%", std::max(percent, kBarPercentMin));
  return Element("td", {{"class", "bar"}, hidden}, Element("span", {{"style", width}}, {}));
}

// Lives a second. The last stretch has ended with the sweep; of one that had hardly begun its rate
// says nothing, so that it counts for a quarter at least.
std::vector<double> PerSecond(const Rate& rate, double seconds) {
  std::vector<double> rates;
  const double stretch = rate.stretch_seconds();
  for (const uint64_t lives : rate.lives()) {
    const double began = static_cast<double>(rates.size()) * stretch;
    const double length = std::clamp(seconds - began, stretch / 4, stretch);
    rates.push_back(static_cast<double>(lives) / length);
  }
  return rates;
}

Html Columns(const std::vector<double>& rates, double largest, const std::string& words) {
  Html columns;
  double x = 0;
  for (const double value : rates) {
    const double height = largest > 0 ? kFigureHeight * value / largest : 0;
    columns += Element("rect",
                       {{"x", absl::StrFormat("%.0f", x)},
                        {"y", absl::StrFormat("%.1f", kFigureHeight - height)},
                        {"width", absl::StrFormat("%.0f", kColumnWidth - 2)},
                        {"height", absl::StrFormat("%.1f", height)}},
                       {});
    x += kColumnWidth;
  }
  const std::string box =
      absl::StrFormat("0 0 %.0f %.0f", std::max(x, 20 * kColumnWidth), kFigureHeight);
  return Element(
      "svg",
      {{"viewBox", box}, {"preserveAspectRatio", "none"}, {"role", "img"}, {"aria-label", words}},
      columns);
}

}  // namespace

std::string WithCommas(uint64_t value) {
  const std::string digits = absl::StrCat(value);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

Html Count(std::string_view place, uint64_t value) {
  return Data(place, absl::StrCat(value), WithCommas(value));
}

Html Real(std::string_view place, double value, std::string_view shown) {
  return Data(place, absl::StrFormat("%.17g", value), shown);
}

Html Bytes(std::string_view place, uint64_t value) {
  const double mebibytes = static_cast<double>(value) / (1 << 20);
  return Data(place, absl::StrCat(value), absl::StrFormat("%.1f MiB", mebibytes));
}

Html TableOf(std::string_view caption, const std::vector<TableRow>& rows) {
  Html body;
  for (const TableRow& row : rows) {
    body += Element("tr", {RowHead(row.label), Element("td", row.value)});
  }
  return Element("table", {Caption(caption), Element("tbody", body)});
}

Html BarsOf(std::string_view caption, const std::vector<BarRow>& rows) {
  if (rows.empty()) return {};
  uint64_t largest = 1;
  for (const BarRow& row : rows) largest = std::max(largest, row.value);
  Html body;
  for (const BarRow& row : rows) {
    const Html value = row.place.empty() ? Text("0") : Count(row.place, row.value);
    body += Element("tr",
                    {RowHead(row.label, row.note), Element("td", value), Bar(row.value, largest)});
  }
  return Element("table", {{"class", "bars"}}, {Caption(caption), Element("tbody", body)});
}

Html RateFigure(const Rate& rate, double seconds) {
  const std::vector<double> rates = PerSecond(rate, seconds);
  if (rates.empty()) return {};
  const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
  const std::string words =
      absl::StrFormat("From %.0f to %.0f lives a second; a column stands for %.4g s.", *least,
                      *most, rate.stretch_seconds());
  Html rows;
  for (size_t i = 0; i < rates.size(); ++i) {
    const double began = static_cast<double>(i) * rate.stretch_seconds();
    rows += Element("tr", {RowHead(absl::StrFormat("from %.4g s", began)),
                           Element("td", Text(absl::StrFormat("%.0f", rates[i])))});
  }
  const Html table = Element("table", {Caption("Lives a second"), Element("tbody", rows)});
  return Element("figure",
                 {Columns(rates, *most, words), Element("figcaption", Text(words)),
                  Element("details", {Element("summary", Text("The same in numbers")), table})});
}

}  // namespace kiban::suites
