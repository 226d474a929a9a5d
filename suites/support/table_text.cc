#include "suites/support/table_text.h"

#include <algorithm>

namespace kiban::suites {
namespace {

bool IsNumber(const std::string& cell) { return !cell.empty() && cell[0] >= '0' && cell[0] <= '9'; }

std::vector<size_t> WidthsOf(std::span<const Row> rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  return widths;
}

}  // namespace

std::string TableText(std::span<const Row> rows) {
  const std::vector<size_t> widths = WidthsOf(rows);
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      if (i > 0) line += "  ";
      line += IsNumber(row[i]) ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string MarkdownTableText(std::span<const Row> rows) {
  std::string text;
  for (const Row& row : rows) {
    for (const std::string& cell : row) text += "| " + cell + " ";
    text += "|\n";
    if (&row != rows.data()) continue;
    for (size_t i = 0; i < row.size(); ++i) text += "|---";
    text += "|\n";
  }
  return text;
}

}  // namespace kiban::suites
