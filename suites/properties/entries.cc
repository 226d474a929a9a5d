#include "suites/properties/entries.h"

#include <algorithm>

#include "models/complaint.h"
#include "suites/properties/keys.h"

namespace kiban::suites {
namespace {

// Both ends of what a sequence may be, and most of them close together.
base::Sequence SequenceOf(uint32_t number) {
  if (number == 63) return base::kSequenceMax;
  if (number == 62) return base::kSequenceMax - 1;
  return number + 1;
}

// Every value says whose it is; its length has one byte as a varint, or two.
std::string ValueOf(const std::string& key, base::Sequence sequence, uint32_t bytes) {
  std::string value = key.substr(0, 3) + std::to_string(sequence);
  value.resize(bytes, '.');
  return value;
}

bool StandsBefore(const OwnedEntry& a, const OwnedEntry& b) {
  return table::Compare(a.key, a.sequence, b.key, b.sequence) < 0;
}

}  // namespace

OwnedEntry Own(const table::Entry& entry) {
  return {std::string(entry.key), entry.sequence, entry.kind, std::string(entry.value)};
}

rc::Gen<std::vector<OwnedEntry>> EntryLists() {
  const auto entries = rc::gen::apply(
      [](uint32_t number, uint32_t sequence, uint32_t value_bytes) {
        OwnedEntry entry{.key = PoolKey(number), .sequence = SequenceOf(sequence)};
        if (value_bytes % 5 == 4) {
          entry.kind = table::Kind::kDelete;
        } else {
          entry.value = ValueOf(entry.key, entry.sequence, value_bytes);
        }
        return entry;
      },
      rc::gen::inRange<uint32_t>(0, kPoolKeys), rc::gen::inRange<uint32_t>(0, 64),
      rc::gen::inRange<uint32_t>(0, 160));
  return rc::gen::map(rc::gen::nonEmpty(rc::gen::container<std::vector<OwnedEntry>>(entries)),
                      [](std::vector<OwnedEntry> list) {
                        std::sort(list.begin(), list.end(), StandsBefore);
                        const auto same = [](const OwnedEntry& a, const OwnedEntry& b) {
                          return a.key == b.key && a.sequence == b.sequence;
                        };
                        list.erase(std::unique(list.begin(), list.end(), same), list.end());
                        return list;
                      });
}

const OwnedEntry* NewestIn(const std::vector<OwnedEntry>& entries, std::string_view key,
                           base::Sequence at) {
  for (const OwnedEntry& entry : entries) {
    if (entry.key == key && entry.sequence <= at) return &entry;
  }
  return nullptr;
}

void showValue(const OwnedEntry& entry, std::ostream& os) {
  os << (entry.kind == table::Kind::kPut ? "put " : "delete ") << models::Quote(entry.key) << " at "
     << entry.sequence << " with " << entry.value.size() << " bytes";
}

}  // namespace kiban::suites
