// What tests of the whole engine share: dice, contents read in every way there is, files looked at.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/hash.h"
#include "engine/env.h"
#include "engine/lsm/db.h"
#include "engine/lsm/options.h"

namespace kiban::lsm {

using Contents = std::map<std::string, std::string>;

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(base::Mix64(seed + 1)) {}
  uint64_t Below(uint64_t end) { return base::Mix64(state_ += 0x9e3779b97f4a7c15) % end; }
  bool OneIn(uint64_t n) { return Below(n) == 0; }

 private:
  uint64_t state_;
};

// Everything small, so that few writes reach every step.
KibanOptions TinyOptions();

// Opens "db"; fails the test and returns null if that fails.
std::unique_ptr<Db> OpenDb(const engine::Env& env, const KibanOptions& options);

// Everything, read by a forward scan; a reverse scan, latest-K and a get of each key must agree.
Contents ReadAll(Db& db, const Snapshot* snapshot = nullptr);

// Names in "db", sorted, without LOCK.
std::vector<std::string> FilesOf(const engine::Env& env);

std::string ReadFile(const engine::Env& env, const std::string& name);
// Replaces or makes the file db/`name`.
void WriteFile(const engine::Env& env, const std::string& name, std::string_view bytes);

}  // namespace kiban::lsm
