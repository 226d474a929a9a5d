// A table of format 4 and a few edits of its file.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/sorted_table.h"
#include "suites/properties/edits.h"
#include "suites/properties/table_case.h"

namespace kiban::suites {

enum class Part : uint8_t {
  kFile,
  kBlocks,
  kPointIndex,
  kFields,  // Header and fields of the point index: counts and widths.
  kSlots,   // And what stands behind them: older versions, groups, arena.
  kValue,   // The longest there is: under a good checksum it may be anything.
  kFilter,
  kIndex,
  kFooter,
};

struct TableEdit {
  Part part = Part::kFile;
  Edit edit;
};

struct DamageCase {
  TableCase table;
  std::vector<TableEdit> edits;

  bool is_sealed() const;
};

rc::Gen<DamageCase> DamageCases();
void showValue(const DamageCase& c, std::ostream& os);

// Where the parts of a file stand.
class TableParts {
 public:
  TableParts(const table::SortedTable& table, std::string_view bytes);

  Span operator[](Part part) const { return spans_[static_cast<size_t>(part)]; }
  // Makes the checksum of every part that is still there good.
  void Seal(std::string& bytes) const;

 private:
  const uint64_t file_number_;
  Span spans_[9];
  std::vector<Span> sealed_;  // Parts that end in a crc32 of their own.
};

// The file after all edits. `other`: of a table that is nearly the same.
std::string Damaged(const DamageCase& c, const TableParts& parts, std::string bytes,
                    std::string_view other);

}  // namespace kiban::suites
