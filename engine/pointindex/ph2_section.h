// A PH2 section in memory: look-up, and the check against the records it stands for.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/pointindex/record.h"
#include "engine/pointindex/section.h"

namespace kiban::pointindex {

// Views into a section that outlives it.
struct Ph2Section {
  Header header;
  PerfectHash hash;
  const char* slots = nullptr;
  const char* arena = nullptr;

  // Looks at the lengths of all parts; Ph2Check looks at the rest.
  static absl::StatusOr<Ph2Section> Open(const Header& header, std::string_view section,
                                         const SectionPlace& place);

  // Needs a section that Ph2Check has passed.
  Answer Find(std::string_view key, uint64_t key_hash, base::Sequence at) const;
  SectionSizes sizes() const;
};

// Goes through all records in order. Each call returns null, or what is wrong.
class Ph2Check {
 public:
  explicit Ph2Check(const Ph2Section& section) : section_(section) {}

  const char* Key(const Record& record);      // The newest version of the next key.
  const char* Version(const Record& record);  // The next version of that key.
  const char* End();

 private:
  // The bytes from where the check has come to, if there are as many.
  bool Take(uint64_t bytes, const char*& from);

  const Ph2Section& section_;
  uint64_t key_count_ = 0;
  uint64_t record_count_ = 0;
  uint32_t versions_left_ = 0;  // Of this key.
  uint64_t arena_at_ = 0;
};

}  // namespace kiban::pointindex
