// The opposite of a fault: one sync more than the engine asks for, always in effect. It is no call:
// it takes no time, draws nothing and is in no trace, so that up to a cut the life stays as it was.
#pragma once

#include <cstdint>
#include <string>

namespace kiban::sim {

struct ExtraSync {
  uint64_t before_event = 0;  // Just before the first event with at least this number.
  bool of_directory = false;
  std::string target;  // The directory's path, or the text of the file's label.
};

}  // namespace kiban::sim
