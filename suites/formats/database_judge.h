// A whole database with a damaged file in it: does anything it answers differ?
#pragma once

#include <map>
#include <set>
#include <string>

#include "engine/lsm/db.h"
#include "engine/lsm/options.h"
#include "engine/memory/memory_env.h"
#include "suites/formats/damage.h"

namespace kiban::suites {

using Files = std::map<std::string, std::string>;     // By name, without the directory.
using Contents = std::map<std::string, std::string>;  // Live keys.

// The files that a kill would leave of the database `db` in `env`.
Files FilesOfDatabase(const memory::MemoryEnv& env);

// Opens a database of `files` and reads everything: scans in both directions, the latest keys, a
// get of each of `keys` and of neighbours that are not there. Then it writes, compacts, closes,
// reopens and reads everything again, because what one open drops must not come back in the next.
//
// kHarmless: all of it was as `expected`. kReadFails: what failed was kDataLoss, all else was
// right. If it opens once and not again, that is kUndetected, kDataLoss or not.
Judgement JudgeDatabase(const Files& files, const lsm::KibanOptions& options,
                        const Contents& expected, const std::set<std::string>& keys);

}  // namespace kiban::suites
