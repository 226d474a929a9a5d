// What a file system may do with what it owes, as data: which operations order which others, what a
// sync carries, what may fill a gap. The rules (D1 ...) are in README.md beside this file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/disk/micro_op.h"

namespace kiban::sim {

struct Profile {
  std::string_view name;
};

// Only what the seam's contract promises.
extern const Profile kStrict;

// Null if there is no such profile.
const Profile* FindProfile(std::string_view name);

// Empty if a power cut may leave exactly this; otherwise the rule that forbids it ("D1: ...").
std::string WhyNotAllowed(const Profile& profile, std::span<const MicroOp> pending,
                          const KeptSet& kept);

}  // namespace kiban::sim
