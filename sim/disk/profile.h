// What a file system may do with what it owes, as data: which operations order which others, what a
// sync carries, what may fill a gap. The rules (D1 ...) are in README.md beside this file.
#pragma once

#include <cstddef>
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

// Of a kept set that is allowed: the rule by which this operation could be lost or torn, with what
// it says in this case ("D13: its directory was not synced since"); empty if it was kept whole.
std::string WhyGone(const Profile& profile, std::span<const MicroOp> pending, const KeptSet& kept,
                    size_t index);

}  // namespace kiban::sim
