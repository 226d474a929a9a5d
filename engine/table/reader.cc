#include "engine/table/reader.h"

#include <utility>

#include "engine/base/status_util.h"
#include "engine/table/footer.h"
#include "engine/table/format.h"
#include "engine/table/sorted_table.h"
#include "engine/table/table_file.h"

namespace kiban::table {

absl::StatusOr<std::shared_ptr<const TableReader>> TableReader::Open(engine::FileSystem& files,
                                                                     std::string path,
                                                                     uint64_t file_number,
                                                                     const ReaderOptions& options) {
  ASSIGN_OR_RETURN(TableFile file, TableFile::Open(files, std::move(path), file_number));
  ASSIGN_OR_RETURN(const uint32_t version,
                   ReadVersion(file.path(), file_number, file.size_bytes(), file.tail()));
  if (version != kVersionSorted && version != kVersionIndexed) {
    return UnknownVersion(file.path(), version);
  }
  return SortedTable::Open(std::move(file), version, options);
}

}  // namespace kiban::table
