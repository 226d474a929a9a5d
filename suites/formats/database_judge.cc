#include "suites/formats/database_judge.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/read_file.h"
#include "engine/base/status_util.h"
#include "engine/lsm/file_names.h"

namespace kiban::suites {
namespace {

constexpr std::string_view kDir = "db";

// What the reads of one handle showed.
class Reads {
 public:
  // Whether a read that ended with `status` may be looked at; kDataLoss is remembered, any other
  // error is wrong.
  bool MayTrust(const absl::Status& status) {
    if (status.ok()) return true;
    if (!absl::IsDataLoss(status)) {
      Wrong(base::ToStd(status.ToString()));
    } else if (refusal_.empty()) {
      refusal_ = base::ToStd(status.message());
    }
    return false;
  }
  void Wrong(std::string_view what) {
    if (wrong_.empty()) wrong_ = what;
  }
  void Expect(bool is_right, std::string_view what) {
    if (!is_right) Wrong(what);
  }

  bool all_right() const { return wrong_.empty() && refusal_.empty(); }
  Judgement verdict() const {
    if (!wrong_.empty()) return {Outcome::kUndetected, wrong_};
    if (!refusal_.empty()) return {Outcome::kReadFails, refusal_};
    return {Outcome::kHarmless, {}};
  }

 private:
  std::string wrong_;
  std::string refusal_;
};

void ReadForward(lsm::Db& db, const Contents& expected, Reads& reads) {
  const std::unique_ptr<lsm::Cursor> cursor = db.NewCursor({}, nullptr);
  auto next = expected.begin();
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next(), ++next) {
    if (next == expected.end() || next->first != cursor->key() || next->second != cursor->value()) {
      return reads.Wrong(absl::StrCat("forward scan at ", base::ToAbsl(cursor->key())));
    }
  }
  if (reads.MayTrust(cursor->status())) reads.Expect(next == expected.end(), "short forward scan");
}

void ReadBackward(lsm::Db& db, const Contents& expected, Reads& reads) {
  const std::unique_ptr<lsm::Cursor> cursor = db.NewCursor({}, nullptr);
  auto next = expected.rbegin();
  for (cursor->SeekToLast(); cursor->Valid(); cursor->Prev(), ++next) {
    if (next == expected.rend() || next->first != cursor->key() ||
        next->second != cursor->value()) {
      return reads.Wrong(absl::StrCat("backward scan at ", base::ToAbsl(cursor->key())));
    }
  }
  if (reads.MayTrust(cursor->status())) {
    reads.Expect(next == expected.rend(), "short backward scan");
  }
}

void ReadLatest(lsm::Db& db, const Contents& expected, Reads& reads) {
  for (const uint32_t k : {uint32_t{2}, UINT32_MAX}) {
    const auto latest = db.LatestK("", k, nullptr);
    if (!reads.MayTrust(latest.status())) continue;
    const size_t count = std::min<size_t>(k, expected.size());
    const bool is_right = std::equal(latest->begin(), latest->end(), expected.rbegin(),
                                     std::next(expected.rbegin(), static_cast<ptrdiff_t>(count)),
                                     [](const lsm::KeyValue& read, const auto& right) {
                                       return read.key == right.first && read.value == right.second;
                                     });
    reads.Expect(is_right, "latest keys");
  }
}

void Get(lsm::Db& db, const Contents& expected, const std::string& key, Reads& reads) {
  const auto got = db.Get(key, nullptr);
  if (!reads.MayTrust(got.status())) return;
  const auto right = expected.find(key);
  const bool is_right =
      right == expected.end() ? !got->has_value() : got->has_value() && **got == right->second;
  reads.Expect(is_right, absl::StrCat("get of ", key));
}

void ReadEverything(lsm::Db& db, const Contents& expected, const std::set<std::string>& keys,
                    Reads& reads) {
  ReadForward(db, expected, reads);
  ReadBackward(db, expected, reads);
  ReadLatest(db, expected, reads);
  for (const std::string& key : keys) {
    Get(db, expected, key, reads);
    if (!keys.contains(key + "0")) Get(db, expected, key + "0", reads);
  }
}

std::unique_ptr<memory::MemoryEnv> EnvOf(const Files& files) {
  auto env = std::make_unique<memory::MemoryEnv>();
  engine::FileSystem& disk = *env->env().files;
  CHECK(disk.MakeDir(kDir).ok());
  for (const auto& [name, bytes] : files) {
    const auto file = disk.Open(lsm::PathIn(kDir, name), engine::OpenMode::kMustCreate).value();
    CHECK(file->Append(base::AsBytes(bytes)).ok());
  }
  return env;
}

// An error here is of the files: nothing else goes wrong in memory.
absl::Status WriteOn(lsm::Db& db, const std::string& key) {
  RETURN_IF_ERROR(db.Put(key, "new", {.sync = true}).status());
  RETURN_IF_ERROR(db.Compact());
  RETURN_IF_ERROR(db.Put(key + "0", "newer", {.sync = true}).status());
  return db.Close();
}

}  // namespace

Files FilesOfDatabase(const memory::MemoryEnv& env) {
  memory::MemoryEnv copy;
  env.CopyFilesTo(copy);
  engine::FileSystem& disk = *copy.env().files;
  Files files;
  const std::vector<std::string> names = disk.List(kDir).value();
  for (const std::string& name : names) {
    if (name == lsm::kLockName) continue;
    files[name] = base::ReadWholeFile(disk, lsm::PathIn(kDir, name)).value();
  }
  return files;
}

Judgement JudgeDatabase(const Files& files, const lsm::KibanOptions& options,
                        const Contents& expected, const std::set<std::string>& keys) {
  const std::unique_ptr<memory::MemoryEnv> env = EnvOf(files);
  Contents contents = expected;
  std::set<std::string> all_keys = keys;
  Reads reads;
  for (const bool is_first : {true, false}) {
    const auto db = lsm::Db::Open(env->env(), std::string(kDir), options);
    if (is_first && absl::IsDataLoss(db.status())) return {Outcome::kRefused, {}};
    if (is_first && absl::IsUnimplemented(db.status())) return {Outcome::kUnknown, {}};
    if (!db.ok()) {  // At the second open: it has accepted the damage, and written on.
      return {Outcome::kUndetected,
              absl::StrCat(is_first ? "" : "reopened: ", db.status().ToString())};
    }
    ReadEverything(**db, contents, all_keys, reads);
    if (!is_first || !reads.all_right()) return reads.verdict();

    const std::string key = "~new";
    if (!reads.MayTrust(WriteOn(**db, key))) return reads.verdict();
    contents[key] = "new";
    contents[key + "0"] = "newer";
    all_keys.insert({key, key + "0"});
  }
  CHECK(false);
}

}  // namespace kiban::suites
