// Goal:   the adapter passes every call on, takes all options that it declares, and refuses others.
// Method: a short life over a file system in memory; each option at each of its choices; wrong
// options.
#include "suites/support/lsm_adapter.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/memory/memory_env.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/support/formats.h"

namespace kiban::suites {
namespace {

using testing::ElementsAre;

class LsmAdapter : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<EngineUnderTest>> Open(const EngineOptions& options,
                                                        std::string_view bug = "") {
    return LsmEngine().open(env_.env(), "db", options, bug);
  }

  memory::MemoryEnv env_;
};

TEST_F(LsmAdapter, PassesCallsOn) {
  const auto db = Open({}).value();
  EXPECT_EQ(db->Put("a", "1", Durability::kSynced).value(), 1u);
  const std::vector<Mutation> batch = {{"b", "2"}, {"c", "3"}, {"a", std::nullopt}};
  EXPECT_EQ(db->Write(batch, Durability::kUnsynced).value(), 2u);
  const auto snapshot = db->TakeSnapshot();
  EXPECT_EQ(snapshot->sequence(), 4u);
  EXPECT_EQ(db->Remove("c", Durability::kUnsynced).value(), 5u);
  EXPECT_TRUE(db->Sync().ok());
  EXPECT_TRUE(db->Maintain(Maintenance::kFlush).ok());
  EXPECT_TRUE(db->Maintain(Maintenance::kCompact).ok());
  EXPECT_EQ(db->last_sequence(), 5u);
  EXPECT_GE(db->counters().flushes, 1u);
  EXPECT_GE(db->counters().manifests, 1u);

  EXPECT_EQ(db->Get("c", nullptr, nullptr).value(), std::nullopt);
  EXPECT_EQ(db->Get("c", snapshot.get(), nullptr).value(), "3");
  const KeyValue b = {"b", "2"}, c = {"c", "3"};
  EXPECT_THAT(db->Scan({"", {}}, Direction::kForward, 9, snapshot.get(), nullptr).value(),
              ElementsAre(b, c));
  EXPECT_THAT(db->Scan({"", {}}, Direction::kReverse, 1, snapshot.get(), nullptr).value(),
              ElementsAre(c));
  EXPECT_THAT(db->Scan({"a", "c"}, Direction::kReverse, 9, snapshot.get(), nullptr).value(),
              ElementsAre(b));
  EXPECT_THAT(db->Scan({"", {}}, Direction::kForward, 0, nullptr, nullptr).value(), ElementsAre());
  EXPECT_THAT(db->LatestK("", 2, snapshot.get(), nullptr).value(), ElementsAre(c, b));

  const auto cursor = db->NewCursor({"", {}}, snapshot.get());
  cursor->SeekToLast();
  ASSERT_TRUE(cursor->Valid());
  EXPECT_EQ(cursor->key(), "c");
  cursor->Prev();
  EXPECT_EQ(cursor->value(), "2");
  EXPECT_TRUE(cursor->status().ok());
}

TEST_F(LsmAdapter, TakesEveryChoiceOfEveryOption) {
  for (const OptionChoices& option : LsmEngine().options) {
    for (const uint64_t choice : option.choices) {
      const auto db = Open({{std::string(option.name), choice}});
      EXPECT_TRUE(db.ok()) << option.name << ' ' << choice << ": " << db.status();
    }
  }
}

TEST_F(LsmAdapter, WritesTheFormatItIsTold) {
  const Engine& lsm = LsmEngine();
  for (size_t i = 0; i < lsm.formats.size(); ++i) {
    const EngineOptions options = {
        {std::string(lsm.format_option), std::vector<uint64_t>{3, 42, 43}[i]}};
    const auto db = Open(options).value();
    ASSERT_TRUE(db->Put("a", "1", Durability::kSynced).ok());
    ASSERT_TRUE(db->Maintain(Maintenance::kFlush).ok());
    const std::map<std::string, uint64_t> tables = ByFormat(db->counters().tables);
    ASSERT_EQ(tables.size(), 1u);
    EXPECT_EQ(tables.begin()->first, lsm.formats[i]);
    EXPECT_EQ(FormatOf(lsm, options), lsm.formats[i]);
  }
  EXPECT_EQ(FormatOf(lsm, {}), "sst3");
}

TEST_F(LsmAdapter, RefusesWhatItDoesNotKnow) {
  const auto code = [&](const EngineOptions& options, std::string_view bug) {
    return Open(options, bug).status().code();
  };
  EXPECT_EQ(code({{"colour", 1}}, ""), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({{"block_bytes", uint64_t{1} << 32}}, ""), absl::StatusCode::kInvalidArgument);
  for (const char* const option : {"write_format", "point_index", "wide_index"}) {
    EXPECT_EQ(code({{option, 4}}, ""), absl::StatusCode::kInvalidArgument) << option;
  }
  EXPECT_EQ(code({}, "no-such-bug"), absl::StatusCode::kInvalidArgument);
}

TEST_F(LsmAdapter, StandsInTheTable) {
  ASSERT_NE(FindEngine("lsm"), nullptr);
  EXPECT_EQ(FindEngine("lsm")->open, LsmEngine().open);
  EXPECT_EQ(FindEngine("oracle"), nullptr);
}

}  // namespace
}  // namespace kiban::suites
