// Goal:   a cursor shows what a sorted map would, however it is moved, whatever lies below it.
// Method: random scripts of writes and moves against std::map; one cursor is planted that forgets
//         which way it went, and must be found and shrunk.
#include <gtest/gtest.h>

#include "suites/properties/cursor_script.h"
#include "suites/properties/property.h"

namespace kiban::suites {
namespace {

std::unique_ptr<lsm::Cursor> AsItIs(std::unique_ptr<lsm::Cursor> cursor) { return cursor; }

// Planted: where it should turn, it goes on as before.
class ForgetfulCursor final : public lsm::Cursor {
 public:
  explicit ForgetfulCursor(std::unique_ptr<lsm::Cursor> cursor) : cursor_(std::move(cursor)) {}
  bool Valid() const override { return cursor_->Valid(); }
  void SeekToFirst() override { cursor_->SeekToFirst(), way_ = Way::kForward; }
  void SeekToLast() override { cursor_->SeekToLast(), way_ = Way::kBackward; }
  void Seek(std::string_view key) override { cursor_->Seek(key), way_ = Way::kForward; }
  void SeekForPrev(std::string_view key) override {
    cursor_->SeekForPrev(key), way_ = Way::kBackward;
  }
  void Next() override { Go(Way::kForward); }
  void Prev() override { Go(Way::kBackward); }
  std::string_view key() const override { return cursor_->key(); }
  std::string_view value() const override { return cursor_->value(); }
  absl::Status status() const override { return cursor_->status(); }
  base::Sequence sequence() const override { return cursor_->sequence(); }

 private:
  enum class Way { kForward, kBackward };

  void Go(Way way) {
    way_ == Way::kForward ? cursor_->Next() : cursor_->Prev();
    way_ = way;
  }

  const std::unique_ptr<lsm::Cursor> cursor_;
  Way way_ = Way::kForward;
};

TEST(CursorProperties, ACursorShowsWhatASortedMapWould) {
  CursorReach reach;
  const bool held = Holds<CursorScript>(CursorScripts(), [&](const CursorScript& script) {
    return WhyNotSorted(script, AsItIs, reach);
  });
  if (!held) return;
  EXPECT_GT(reach.moves, 20000u);
  EXPECT_GT(reach.turns, 1000u);
  EXPECT_GT(reach.absent_targets, 1000u);
  EXPECT_GT(reach.off_the_ends, 1000u);
  EXPECT_GT(reach.bounded, 1000u);
  EXPECT_GT(reach.behind_writes, 1000u);
  EXPECT_GT(reach.at_snapshots, 1000u);
  EXPECT_GT(reach.over_tables, 1000u);
  EXPECT_GT(reach.over_levels, 1000u);
  EXPECT_GT(reach.over_tombstones, 1000u);
  EXPECT_GT(reach.over_versions, 1000u);
}

TEST(CursorProperties, ACursorThatForgetsItsDirectionIsFoundAndShrunk) {
  const WrapCursor forget = [](std::unique_ptr<lsm::Cursor> cursor) {
    return std::make_unique<ForgetfulCursor>(std::move(cursor));
  };
  CursorReach reach;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const auto smallest = SmallestFailing<CursorScript>(
        CursorScripts(),
        [&](const CursorScript& script) { return WhyNotSorted(script, forget, reach); }, seed);
    ASSERT_TRUE(smallest.has_value());
    EXPECT_LE(smallest->steps.size(), 6u) << rc::toString(*smallest);
  }
}

}  // namespace
}  // namespace kiban::suites
