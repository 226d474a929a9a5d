#include "suites/support/rate.h"

#include "engine/base/check.h"

namespace kiban::suites {

void Rate::Note(double seconds, uint64_t lives) {
  CHECK(seconds >= 0);
  CHECK(lives >= noted_);
  while (seconds / stretch_seconds_ >= static_cast<double>(kStretchesMax)) {
    stretch_seconds_ *= 2;
    for (size_t i = 0; i < lives_.size(); ++i) {
      const uint64_t stretch = lives_[i];
      if (i > 0) lives_[i] = 0;
      lives_[i / 2] = (i % 2 == 0 ? 0 : lives_[i / 2]) + stretch;
    }
    lives_.resize((lives_.size() + 1) / 2);
  }
  const auto now = static_cast<size_t>(seconds / stretch_seconds_);
  if (now >= lives_.size()) lives_.resize(now + 1);
  lives_[now] += lives - noted_;
  noted_ = lives;
}

}  // namespace kiban::suites
