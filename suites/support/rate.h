// How fast a sweep was as time went by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kiban::suites {

// Lives that were reported in each of at most kStretchesMax stretches of time of equal length. When
// time runs past the last, two and two become one.
class Rate {
 public:
  static constexpr size_t kStretchesMax = 60;

  // `lives` in all have been reported `seconds` after the sweep began. Neither ever gets less.
  void Note(double seconds, uint64_t lives);

  double stretch_seconds() const { return stretch_seconds_; }
  const std::vector<uint64_t>& lives() const { return lives_; }

 private:
  double stretch_seconds_ = 0.25;
  std::vector<uint64_t> lives_;
  uint64_t noted_ = 0;
};

}  // namespace kiban::suites
