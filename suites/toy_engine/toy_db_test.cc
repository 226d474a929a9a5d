// What the toy does while nothing fails, and what it says of damage.
#include "suites/toy_engine/toy_db.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/base/bytes.h"
#include "engine/memory/memory_env.h"
#include "suites/toy_engine/adapter.h"

namespace kiban::suites::toy {
namespace {

using engine::OpenMode;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

absl::Status Put(ToyDb& db, std::string key, std::string value) {
  const ToyWrite write{std::move(key), std::move(value)};
  return db.Write({&write, 1}, /*sync=*/false).status();
}

std::unique_ptr<engine::File> OpenLog(memory::MemoryEnv& world) {
  auto log = world.env().files->Open("db/LOG", OpenMode::kMustExist);
  EXPECT_TRUE(log.ok()) << log.status();
  return *std::move(log);
}

TEST(ToyDb, KeepsWhatWasWrittenAcrossOpens) {
  memory::MemoryEnv world;
  {
    ToyDb db(world.env(), "db", {});
    ASSERT_TRUE(db.Open().ok());
    EXPECT_THAT(db.contents(), IsEmpty());
    EXPECT_TRUE(Put(db, "a", "1").ok());
    EXPECT_TRUE(Put(db, "b", "").ok());
    const ToyWrite batch[] = {{"c", "3"}, {"a", std::nullopt}, {"c", "4"}};
    EXPECT_EQ(db.Write(batch, /*sync=*/true).value_or(0), 3u);
  }
  ToyDb db(world.env(), "db", {});
  ASSERT_TRUE(db.Open().ok());
  EXPECT_THAT(db.contents(), ElementsAre(Pair("b", ""), Pair("c", "4")));
  EXPECT_EQ(db.last_sequence(), 5u);
}

TEST(ToyDb, WritesTheLogAnewWhenItHasGrown) {
  memory::MemoryEnv world;
  ToyDb db(world.env(), "db", {.rewrite_bytes = 1000});
  ASSERT_TRUE(db.Open().ok());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(Put(db, "key", std::string(100, 'x')).ok());
  EXPECT_GT(db.rewrites(), 5u);
  EXPECT_LT(OpenLog(world)->Size().value_or(UINT64_MAX), 1200u);
  EXPECT_THAT(world.env().files->List("db").value(), ElementsAre("LOCK", "LOG"));
  EXPECT_EQ(db.last_sequence(), 100u);
}

TEST(ToyDb, DropsATornTailAndNeverAppendsToIt) {
  memory::MemoryEnv world;
  const auto write = [&world](std::string key) {
    ToyDb db(world.env(), "db", {});
    ASSERT_TRUE(db.Open().ok());
    ASSERT_TRUE(Put(db, std::move(key), "value").ok());
  };
  write("a");
  const auto log = OpenLog(world);
  ASSERT_TRUE(log->Truncate(log->Size().value() - 1).ok());
  write("b");
  ToyDb db(world.env(), "db", {});
  ASSERT_TRUE(db.Open().ok());
  EXPECT_THAT(db.contents(), ElementsAre(Pair("b", "value")));
}

TEST(ToyDb, SaysThatALogWithoutAFirstRecordIsDamaged) {
  memory::MemoryEnv world;
  {
    ToyDb db(world.env(), "db", {});
    ASSERT_TRUE(db.Open().ok());
  }
  ASSERT_TRUE(OpenLog(world)->WriteAt(9, base::AsBytes("!")).ok());
  ToyDb db(world.env(), "db", {});
  const absl::Status status = db.Open();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("db/LOG: offset 0"));
}

TEST(ToyDb, RefusesASecondHandleAndCallsAfterClose) {
  memory::MemoryEnv world;
  ToyDb db(world.env(), "db", {});
  EXPECT_EQ(Put(db, "a", "1").code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(db.Open().ok());
  ToyDb second(world.env(), "db", {});
  EXPECT_EQ(second.Open().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(db.Write({}, false).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(db.Close().ok());
  EXPECT_EQ(Put(db, "a", "1").code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(db.Sync().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(second.Open().ok());
}

TEST(ToyEngine, SpeaksTheContractOfTheSuites) {
  memory::MemoryEnv world;
  const auto open_toy = ToyEngine().open;
  EXPECT_EQ(open_toy(world.env(), "db", {{"colour", 1}}, "").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(open_toy(world.env(), "db", {}, "no-such-bug").status().code(),
            absl::StatusCode::kInvalidArgument);
  const auto db = open_toy(world.env(), "db", {{"rewrite_bytes", 512}}, "");
  ASSERT_TRUE(db.ok()) << db.status();
  for (const std::string_view key : {"a1", "a2", "b1", "b2"}) {
    ASSERT_TRUE((*db)->Put(key, "v", Durability::kUnsynced).ok());
  }
  ASSERT_TRUE((*db)->Remove("a2", Durability::kSynced).ok());
  EXPECT_EQ((*db)->Get("a1", nullptr, nullptr).value(), "v");
  EXPECT_EQ((*db)->Get("a2", nullptr, nullptr).value(), std::nullopt);
  EXPECT_THAT((*db)->Scan({"a", "b2"}, Direction::kReverse, 9, nullptr, nullptr).value(),
              ElementsAre(KeyValue{"b1", "v"}, KeyValue{"a1", "v"}));
  EXPECT_THAT((*db)->Scan({"a", std::nullopt}, Direction::kForward, 2, nullptr, nullptr).value(),
              ElementsAre(KeyValue{"a1", "v"}, KeyValue{"b1", "v"}));
  EXPECT_THAT((*db)->LatestK("b", 1, nullptr, nullptr).value(), ElementsAre(KeyValue{"b2", "v"}));
  EXPECT_EQ((*db)->last_sequence(), 5u);
  EXPECT_TRUE((*db)->Maintain(Maintenance::kCompact).ok());
  EXPECT_EQ((*db)->counters().compactions, 2u);  // The open's and this.
}

}  // namespace
}  // namespace kiban::suites::toy
