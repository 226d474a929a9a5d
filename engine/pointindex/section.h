// What both layouts share: header, checksum, and where the bytes go.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/pointindex/format.h"

namespace kiban::pointindex {

struct Header {
  Layout layout = Layout::kPh3;
  uint64_t key_count = 0;
  uint64_t record_count = 0;
  uint64_t arena_bytes = 0;
  uint32_t seed = 0;

  uint64_t older_count() const { return record_count - key_count; }
};

// Where the bytes of a section go; the parts and the fixed rest make the total.
struct SectionSizes {
  uint64_t pilots = 0;    // With the spare places.
  uint64_t slots = 0;     // What leads from a slot to a key, and the bits that fill up bytes.
  uint64_t keys = 0;      // What is said of a key, without its bytes; groups.
  uint64_t versions = 0;  // All versions, the newest included.
  uint64_t arena = 0;     // Bytes of keys, anchors and suffixes.
  uint64_t total = 0;
};

// Where a section stands: for checksums and for errors.
struct SectionPlace {
  std::string_view path;
  uint64_t file_number = 0;
  uint64_t offset = 0;
};

// Fills in header and crc32 of a section whose other bytes are in place.
void SealSection(std::string& section, const Header& header, const SectionPlace& place);

// The error for a layout that a reader of layouts up to `newest` does not know: kUnimplemented.
absl::Status LayoutTooNew(std::string_view path, uint64_t offset, Layout layout, Layout newest);

// The error for flags that are not known here: kUnimplemented.
absl::Status FlagsNotKnown(std::string_view path, uint64_t offset, uint32_t flags);

// Checks the crc32 and the header; what follows the header is left to the layout. kDataLoss for
// damage, kUnimplemented for what only a later program can have written.
absl::StatusOr<Header> OpenHeader(std::string_view section, const SectionPlace& place);

}  // namespace kiban::pointindex
