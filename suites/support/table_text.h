// Tables for people.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace kiban::suites {

using Row = std::vector<std::string>;

// Columns padded to equal width; the first row is the heading. Cells that begin with a digit stand
// right.
std::string TableText(std::span<const Row> rows);
std::string MarkdownTableText(std::span<const Row> rows);

}  // namespace kiban::suites
