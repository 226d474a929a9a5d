// The MANIFEST file: published whole, read whole.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/env.h"
#include "engine/lsm/manifest_format.h"

namespace kiban::lsm {

// Steps M1 to M4. After OK the manifest is in force and survives any power cut. An error comes as
// one of two outcomes, which the message tells apart:
//   * "old state intact": nothing was renamed, the old MANIFEST is in force now and after any
//   crash;
//   * "renamed, not known durable": after a crash either may be in force, so nothing that either of
//     them names may be touched.
absl::Status PublishManifest(engine::FileSystem& files, const std::string& dir,
                             const Manifest& manifest);

// kNotFound if there is none; kDataLoss if it is not exactly as PublishManifest() leaves it.
absl::StatusOr<Manifest> ReadManifest(engine::FileSystem& files, const std::string& dir);

}  // namespace kiban::lsm
