#include "engine/lsm/table_output.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "engine/lsm/file_names.h"

namespace kiban::lsm {

namespace {

base::Counter& WrittenCounter(Counters& stats, table::TableFormat format) {
  switch (format) {
    case table::TableFormat::kSorted:
      return stats.tables_written_sst3;
    case table::TableFormat::kPh2:
      return stats.tables_written_ph2;
    case table::TableFormat::kPh3:
      return stats.tables_written_ph3;
  }
  CHECK(false);
}

}  // namespace

TableOutput::TableOutput(Core& core, uint64_t number) : core_(core) {
  info_.number = number;
  info_.smallest_sequence = base::kSequenceMax;
}

absl::StatusOr<std::unique_ptr<TableOutput>> TableOutput::Create(Core& core,
                                                                 size_t expected_entries) {
  const uint64_t number = core.next_file.FetchAdd(1);
  const table::BuilderOptions options{
      .block_bytes = core.options.block_bytes,
      .restart_interval = core.options.restart_interval,
      .filter_bits_per_key = core.options.filter_bits_per_key,
      .expected_entries = expected_entries,
      .point_index = core.options.point_index ? core.options.for_tests.written : std::nullopt};
  std::unique_ptr<TableOutput> output(new TableOutput(core, number));
  ASSIGN_OR_RETURN(output->builder_, table::Builder::Create(core.files, TablePath(core.dir, number),
                                                            number, options));
  return output;
}

absl::Status TableOutput::Add(const table::Entry& entry) {
  RETURN_IF_ERROR(builder_->Add(entry));
  if (info_.entry_count++ == 0) info_.smallest_key = entry.key;
  info_.largest_key = entry.key;
  info_.smallest_sequence = std::min(info_.smallest_sequence, entry.sequence);
  info_.largest_sequence = std::max(info_.largest_sequence, entry.sequence);
  return absl::OkStatus();
}

absl::Status TableOutput::FinishAndVerify() {
  CHECK(info_.entry_count > 0);
  RETURN_IF_ERROR(builder_->Finish());
  info_.size_bytes = builder_->size_bytes();
  const std::string path = TablePath(core_.dir, info_.number);
  ASSIGN_OR_RETURN(auto reader, OpenTable(core_, info_.number));
  RETURN_IF_ERROR(reader->Verify());
  RETURN_IF_ERROR(CheckTable(path, info_, *reader));
  ++WrittenCounter(core_.stats, reader->format());
  table_ = std::make_shared<Table>(Table{.info = info_, .reader = std::move(reader)});
  return absl::OkStatus();
}

absl::Status TableOutput::Sync() {
  RETURN_IF_ERROR(builder_->Sync());
  return builder_->Close();
}

void TableOutput::Discard() {
  table_.reset();
  core_.cache->Forget(info_.number);
  RemoveGarbage(core_, TablePath(core_.dir, info_.number));
}

absl::StatusOr<std::shared_ptr<const table::TableReader>> OpenTable(const Core& core,
                                                                    uint64_t number) {
  return table::TableReader::Open(core.files, TablePath(core.dir, number), number,
                                  {.cache = core.cache.get(),
                                   .point_index = core.options.point_index,
                                   .newest_layout = core.options.for_tests.newest_layout});
}

absl::Status CheckTable(const std::string& path, const TableInfo& info,
                        const table::TableReader& reader) {
  const bool same = reader.file_number() == info.number && reader.size_bytes() == info.size_bytes &&
                    reader.entry_count() == info.entry_count &&
                    reader.smallest_sequence() == info.smallest_sequence &&
                    reader.largest_sequence() == info.largest_sequence &&
                    reader.smallest_key() == info.smallest_key &&
                    reader.largest_key() == info.largest_key;
  return same ? absl::OkStatus() : base::Corruption(path, 0, "not the table that was written");
}

absl::Status AddAll(TableOutput& output, table::Iterator& from) {
  for (from.SeekToFirst(); from.Valid(); from.Next()) RETURN_IF_ERROR(output.Add(from.entry()));
  return from.status();
}

}  // namespace kiban::lsm
