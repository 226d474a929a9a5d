// The point index of one table, in memory. It is checked against all records of its table before
// there is an object of this class, and believed from then on.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/pointindex/ph2_section.h"
#include "engine/pointindex/ph3_section.h"
#include "engine/pointindex/record.h"
#include "engine/pointindex/section.h"

namespace kiban::pointindex {

struct ReaderOptions {
  Layout newest = Layout::kPh3;  // For tests: a reader that knows no newer layout.
};

class PointIndex {
 public:
  // Walks through `next` to its end. kDataLoss, with file and offset, if the section is damaged or
  // is not that of these records; kUnimplemented if its layout or a flag is not known; an error of
  // `next` as it is.
  // `section` outlives the index.
  static absl::StatusOr<std::unique_ptr<const PointIndex>> Open(std::string_view section,
                                                                const SectionPlace& place,
                                                                const ReaderOptions& options,
                                                                NextRecord next);
  PointIndex(const PointIndex&) = delete;
  PointIndex& operator=(const PointIndex&) = delete;

  // The newest version of `key` that is not newer than `at`. `hash` is KeyHash(key). Nothing is
  // allocated, and kNothing is certain: the table has no such version.
  Answer Find(std::string_view key, uint64_t hash, base::Sequence at) const {
    if (layout() == Layout::kPh3) [[likely]]
      return ph3_.Find(key, hash, at);
    return ph2_.Find(key, hash, at);
  }

  Layout layout() const { return header_.layout; }
  uint64_t key_count() const { return header_.key_count; }
  uint64_t record_count() const { return header_.record_count; }
  SectionSizes sizes() const { return layout() == Layout::kPh3 ? ph3_.sizes() : ph2_.sizes(); }

 private:
  PointIndex() = default;
  absl::Status Decode(std::string_view section, const SectionPlace& place,
                      const ReaderOptions& options);

  Header header_;
  Ph2Section ph2_;  // One of the two, the other is empty.
  Ph3Section ph3_;
};

}  // namespace kiban::pointindex
