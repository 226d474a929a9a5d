#include "engine/pointindex/reader.h"

#include <utility>

#include "absl/status/status.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "engine/pointindex/ph3_check.h"

namespace kiban::pointindex {
namespace {

template <typename Check>
absl::Status WalkThrough(Check check, const SectionPlace& place, NextRecord next) {
  Record record;
  bool is_first = true;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_record, next(record));
    const char* wrong = nullptr;
    if (!has_record) {
      wrong = check.End();
    } else {
      CHECK(record.begins_key || !is_first);
      is_first = false;
      wrong = record.begins_key ? check.Key(record) : check.Version(record);
    }
    if (wrong != nullptr) return base::Corruption(place.path, place.offset, wrong);
    if (!has_record) return absl::OkStatus();
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<const PointIndex>> PointIndex::Open(std::string_view section,
                                                                   const SectionPlace& place,
                                                                   const ReaderOptions& options,
                                                                   NextRecord next) {
  std::unique_ptr<PointIndex> index(new PointIndex());
  RETURN_IF_ERROR(index->Decode(section, place, options));
  RETURN_IF_ERROR(index->layout() == Layout::kPh3
                      ? WalkThrough(Ph3Check(index->ph3_), place, next)
                      : WalkThrough(Ph2Check(index->ph2_), place, next));
  return index;
}

absl::Status PointIndex::Decode(std::string_view section, const SectionPlace& place,
                                const ReaderOptions& options) {
  ASSIGN_OR_RETURN(header_, OpenHeader(section, place));
  if (header_.layout > options.newest) {
    return LayoutTooNew(place.path, place.offset, header_.layout, options.newest);
  }
  if (header_.layout == Layout::kPh3) {
    ASSIGN_OR_RETURN(ph3_, Ph3Section::Open(header_, section, place));
  } else {
    ASSIGN_OR_RETURN(ph2_, Ph2Section::Open(header_, section, place));
  }
  return absl::OkStatus();
}

}  // namespace kiban::pointindex
