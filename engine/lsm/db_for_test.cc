#include "engine/lsm/db_for_test.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/bytes.h"
#include "engine/base/read_file.h"

namespace kiban::lsm {

KibanOptions TinyOptions() {
  return {.write_buffer_bytes = 1024,
          .block_bytes = 128,
          .restart_interval = 4,
          .block_cache_bytes = 2048,
          .l0_compaction_trigger = 3,
          .level1_bytes = 2048,
          .level_multiplier = 2,
          .table_bytes = 700};
}

std::unique_ptr<Db> OpenDb(const engine::Env& env, const KibanOptions& options) {
  auto db = Db::Open(env, "db", options);
  EXPECT_TRUE(db.ok()) << db.status();
  return db.ok() ? *std::move(db) : nullptr;
}

Contents ReadAll(Db& db, const Snapshot* snapshot) {
  Contents contents;
  const std::unique_ptr<Cursor> cursor = db.NewCursor({}, snapshot);
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    const bool is_new = contents.emplace(cursor->key(), cursor->value()).second;
    EXPECT_TRUE(is_new) << "twice: " << cursor->key();
  }
  EXPECT_TRUE(cursor->status().ok()) << cursor->status();

  auto expected = contents.rbegin();
  for (cursor->SeekToLast(); cursor->Valid(); cursor->Prev(), ++expected) {
    if (expected == contents.rend()) {
      ADD_FAILURE() << "only backward: " << cursor->key();
      return contents;
    }
    EXPECT_EQ(cursor->key(), expected->first);
    EXPECT_EQ(cursor->value(), expected->second);
  }
  EXPECT_TRUE(expected == contents.rend());
  EXPECT_TRUE(cursor->status().ok()) << cursor->status();

  const auto latest = db.LatestK("", UINT32_MAX, snapshot);
  EXPECT_TRUE(latest.ok()) << latest.status();
  EXPECT_TRUE(!latest.ok() || latest->size() == contents.size());
  for (const auto& [key, value] : contents) {
    const auto got = db.Get(key, snapshot);
    EXPECT_TRUE(got.ok()) << got.status();
    EXPECT_TRUE(got.ok() && *got == value) << key;
  }
  return contents;
}

std::vector<std::string> FilesOf(const engine::Env& env) {
  auto names = env.files->List("db");
  EXPECT_TRUE(names.ok()) << names.status();
  if (!names.ok()) return {};
  names->erase(std::remove(names->begin(), names->end(), "LOCK"), names->end());
  return *names;
}

std::string ReadFile(const engine::Env& env, const std::string& name) {
  auto bytes = base::ReadWholeFile(*env.files, "db/" + name);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.ok() ? *std::move(bytes) : std::string();
}

void WriteFile(const engine::Env& env, const std::string& name, std::string_view bytes) {
  auto file = env.files->Open("db/" + name, engine::OpenMode::kTruncate);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE((*file)->WriteAt(0, base::AsBytes(bytes)).ok());
}

}  // namespace kiban::lsm
