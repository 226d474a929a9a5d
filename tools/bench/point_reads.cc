// point_reads WHERE READS: so many point reads of an open database, for atomic_cost.py to count
// instructions in. WHERE says where the keys are found: memtable, tables or nowhere.
//
// Real files, all blocks in the cache, keys drawn beforehand: what is counted for a read is a read.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "engine/lsm/db.h"
#include "engine/posix/posix_env.h"
#include "engine/posix/temporary_dir.h"

namespace kiban::tools {
namespace {

constexpr uint64_t kKeys = 10'000;  // In the tables, and as many in the memtable.
constexpr size_t kValueBytes = 100;

std::vector<std::string> KeysIn(std::string_view where) {
  std::vector<std::string> keys;
  for (uint64_t i = 0; i < kKeys; ++i) {
    keys.push_back(absl::StrCat("user", base::Mix64(i), "-", base::ToAbsl(where)));
  }
  return keys;
}

void Put(lsm::Db& db, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    CHECK(db.Put(key, std::string(kValueBytes, 'v'), {.sync = false}).ok());
  }
}

// How many of the keys were found.
uint64_t Read(lsm::Db& db, const std::vector<std::string>& keys, uint64_t reads) {
  uint64_t found = 0;
  for (uint64_t i = 0; i < reads; ++i) {
    const auto value = db.Get(keys[i % keys.size()], nullptr);
    CHECK(value.ok());
    if (value->has_value()) ++found;
  }
  return found;
}

void Run(std::string_view where, uint64_t reads) {
  const auto dir = posix::TemporaryDir::Make();
  CHECK(dir.ok());
  posix::PosixEnv env(dir->path());
  const auto db = lsm::Db::OpenShared(env.env(), "db", {});
  CHECK(db.ok());
  Put(**db, KeysIn("tables"));
  CHECK((*db)->Compact().ok());
  Put(**db, KeysIn("memtable"));
  const std::vector<std::string> keys = KeysIn(where);
  const bool are_there = where != "nowhere";
  CHECK(Read(**db, keys, kKeys) == (are_there ? kKeys : 0));  // Fills the cache.
  CHECK(Read(**db, keys, reads) == (are_there ? reads : 0));
  CHECK((*db)->Close().ok());
}

}  // namespace
}  // namespace kiban::tools

int main(int argc, char** argv) {
  const std::string_view where = argc == 3 ? argv[1] : "";
  if (where != "memtable" && where != "tables" && where != "nowhere") {
    std::fputs("usage: point_reads memtable|tables|nowhere READS\n", stderr);
    return 2;
  }
  kiban::tools::Run(where, std::strtoull(argv[2], nullptr, 10));
}
