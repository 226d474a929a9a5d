#include "suites/formats/scripted_log.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/base/read_file.h"
#include "engine/lsm/batch.h"
#include "engine/wal/writer.h"

namespace kiban::suites {
namespace {

lsm::Batch BatchOf(const ScriptedWrite& write, Contents& state) {
  lsm::Batch batch;
  for (const auto& [key, value] : write.puts) {
    batch.Put(key, value);
    state[key] = value;
  }
  for (const std::string& key : write.deletes) {
    batch.Delete(key);
    state.erase(key);
  }
  return batch;
}

}  // namespace

bool ScriptedLog::IsPromised(size_t i) const {
  const auto behind = records.begin() + static_cast<ptrdiff_t>(i) + 1;
  return std::any_of(behind, records.end(), [&](const ScriptedRecord& later) {
    return later.durable_through >= records[i].first_sequence;
  });
}

bool ScriptedLog::IsHeaderPromised() const {
  return std::any_of(records.begin(), records.end(), [&](const ScriptedRecord& record) {
    return record.durable_through >= first_sequence;
  });
}

ScriptedLog WriteLog(uint64_t segment_id, base::Sequence first_sequence, const Contents& before,
                     const std::vector<ScriptedWrite>& writes) {
  memory::MemoryEnv env;
  engine::FileSystem& files = *env.env().files;
  const auto writer = wal::Writer::Create(files, "log", segment_id, first_sequence).value();
  ScriptedLog log;
  log.states.push_back(before);
  log.first_sequence = first_sequence;
  base::Sequence next = first_sequence;
  base::Sequence durable_through = first_sequence - 1;
  for (const ScriptedWrite& write : writes) {
    log.states.push_back(log.states.back());
    const lsm::Batch batch = BatchOf(write, log.states.back());
    const size_t begin = writer->size_bytes();
    CHECK(writer->Append(next, durable_through, batch.payload()).ok());
    log.records.push_back(
        {.frame = {"record", begin, static_cast<size_t>(writer->size_bytes()) - begin},
         .first_sequence = next,
         .durable_through = durable_through});
    next += batch.count();
    if (!write.is_synced) continue;
    durable_through = next - 1;
    log.synced_bytes = writer->size_bytes();
  }
  log.last_sequence = next - 1;
  log.bytes = base::ReadWholeFile(files, "log").value();
  return log;
}

}  // namespace kiban::suites
