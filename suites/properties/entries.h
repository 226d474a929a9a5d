// Random entries of a table: few keys, many versions, at borders.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "engine/table/entry.h"

namespace kiban::suites {

struct OwnedEntry {
  std::string key;
  base::Sequence sequence = 0;
  table::Kind kind = table::Kind::kPut;
  std::string value;

  table::Entry view() const {
    return {.key = key, .sequence = sequence, .kind = kind, .value = value};
  }
  friend bool operator==(const OwnedEntry&, const OwnedEntry&) = default;
};

OwnedEntry Own(const table::Entry& entry);

// In order, no two alike, at least one.
rc::Gen<std::vector<OwnedEntry>> EntryLists();

// What a look-up says, out of the list: the newest version of `key` up to `at`; null: none.
const OwnedEntry* NewestIn(const std::vector<OwnedEntry>& entries, std::string_view key,
                           base::Sequence at);

void showValue(const OwnedEntry& entry, std::ostream& os);

}  // namespace kiban::suites
