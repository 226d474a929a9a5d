// The formats in which golden files exist. A new one is a new line here and a new folder there.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "engine/lsm/options.h"
#include "engine/pointindex/builder.h"
#include "engine/table/format.h"

namespace kiban::tools {

struct GoldenFormat {
  std::string_view name;  // Of folders.
  table::TableFormat format = table::TableFormat::kSorted;
  std::optional<pointindex::BuilderOptions> point_index;
};

inline constexpr std::array<GoldenFormat, 4> kGoldenFormats = {{
    {"sst3", table::TableFormat::kSorted, std::nullopt},
    {"ph2", table::TableFormat::kPh2,
     pointindex::BuilderOptions{.layout = pointindex::Layout::kPh2}},
    {"ph3", table::TableFormat::kPh3, pointindex::BuilderOptions{}},
    {"ph3-wide", table::TableFormat::kPh3, pointindex::BuilderOptions{.is_wide = true}},
}};

// Null if there is no such format.
inline const GoldenFormat* FindGoldenFormat(std::string_view name) {
  for (const GoldenFormat& format : kGoldenFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

// `options` so that tables are written in this format, and read through their index unless it is
// sst3.
inline lsm::KibanOptions Writing(const GoldenFormat& format, lsm::KibanOptions options) {
  options.point_index = format.point_index.has_value();
  options.for_tests.written = format.point_index;
  return options;
}

}  // namespace kiban::tools
