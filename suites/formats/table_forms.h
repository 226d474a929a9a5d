// Every way to write and to read the small table of the damage tests.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "suites/formats/table_judge.h"

namespace kiban::suites {

inline std::ostream& operator<<(std::ostream& to, const TableForm& form) { return to << form.name; }

inline std::vector<TableForm> AllTableForms() {
  using pointindex::Layout;
  const auto form = [](std::string name, bool is_resident,
                       std::optional<pointindex::BuilderOptions> point_index) {
    TableForm made{std::move(name), {.block_bytes = 100, .restart_interval = 3}, is_resident};
    made.options.point_index = point_index;
    return made;
  };
  return {form("sst3", false, std::nullopt),
          form("ph2_sorted", false, {{.layout = Layout::kPh2}}),
          form("ph2", true, {{.layout = Layout::kPh2}}),
          form("ph3_sorted", false, {{.layout = Layout::kPh3}}),
          form("ph3", true, {{.layout = Layout::kPh3}}),
          form("ph3_wide", true, {{.layout = Layout::kPh3, .is_wide = true}})};
}

}  // namespace kiban::suites
