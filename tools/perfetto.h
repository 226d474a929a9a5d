// What a life did, as the JSON that viewers of Chrome traces open (chrome://tracing, Perfetto): a
// process for each boot, a track for each task, spans as slices; syncs, faults and cuts as
// instants; what the disk owes as a counter. A tick is a microsecond there.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ticks.h"
#include "sim/told.h"

namespace kiban::tools {

class Perfetto {
 public:
  Perfetto();
  void Add(const sim::Told& told);
  // All of it; slices that are still open end here. To be called once.
  std::string Finish();

 private:
  struct Track {
    uint64_t id = 0;
    uint64_t open_slices = 0;
  };

  Track& TrackOf(const sim::Told& told);
  // `fields`: the rest of the JSON object, without braces.
  void Append(std::string_view phase, uint32_t process, uint64_t track, std::string_view fields);
  void AppendName(std::string_view what, uint32_t process, uint64_t track, std::string_view name);
  void AppendInstant(const sim::Told& told, const std::string& name, bool is_everywhere);
  void CloseSlices();
  void AppendOwed(const sim::Told& told);

  std::string json_ = "{\"traceEvents\":[";
  bool is_empty_ = true;
  base::Ticks now_ = 0;
  uint32_t boot_ = 0;
  std::map<std::string, Track> tracks_;  // Of the present boot, by task.
  uint64_t owed_bytes_ = UINT64_MAX;     // As told last.
};

}  // namespace kiban::tools
