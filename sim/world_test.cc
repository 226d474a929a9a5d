// Goal:   a life is a function of its plan: cuts strike where they are planned, a dead process
//         touches nothing, what was decided replays, and what does not end is told from what does.
// Method: a tiny program writes and syncs through the seam; cuts are put everywhere in it.
#include "sim/world.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"

namespace kiban::sim {
namespace {

using engine::OpenMode;

// Appends one synced and one unsynced record a boot to its own file; counts what it is told.
class Scribe : public Program {
 public:
  void Run(const engine::Env& env) override {
    if (before) before();
    sizes_at_boot.push_back(SizeOfAll(env));
    statuses.push_back(Work(env));
    if (again) again(env);
  }
  void Crashed(FaultKind kind) override { crashes.push_back(kind); }

  std::vector<absl::Status> statuses;
  std::vector<uint64_t> sizes_at_boot;
  std::vector<FaultKind> crashes;
  std::function<void()> before;
  std::function<void(const engine::Env&)> again;

 private:
  absl::Status Work(const engine::Env& env) {
    SPAN("work");
    const std::string path = absl::StrCat(crashes.size(), ".wal");
    ASSIGN_OR_RETURN(const std::unique_ptr<engine::File> file,
                     env.files->Open(path, OpenMode::kMustCreate));
    RETURN_IF_ERROR(env.files->SyncDir(""));
    RETURN_IF_ERROR(file->Append(base::AsBytes("synced")));
    RETURN_IF_ERROR(file->Sync(engine::SyncKind::kData));
    return file->Append(base::AsBytes("unsynced"));
  }

  static uint64_t SizeOfAll(const engine::Env& env) {
    uint64_t bytes = 0;
    const auto names = env.files->List("");
    if (!names.ok()) return 0;
    for (const std::string& name : *names) {
      const auto file = env.files->Open(name, OpenMode::kRead);
      const auto size = (*file)->Size();
      bytes += size.ok() ? *size : 0;
    }
    return bytes;
  }
};

FaultPlan CutAt(FaultKind kind, Phase phase, uint32_t call) {
  FaultPlan plan;
  plan.cuts.push_back(
      {.kind = kind, .phase = phase, .place = Anchor{.boot = 1, .span = "work", .call = call}});
  return plan;
}

constexpr uint32_t kWorkCalls = 5;  // open, syncdir, append, sync, append.

TEST(World, CutsStrikeAtEveryCallOfASpanAndNowhereElse) {
  for (uint32_t call = 1; call <= kWorkCalls; ++call) {
    for (const Phase phase : {Phase::kBefore, Phase::kInside, Phase::kAfter}) {
      World world(1, kStrict, CutAt(FaultKind::kPowerCut, phase, call), {});
      Scribe scribe;
      EXPECT_EQ(world.Live(scribe), Ending::kFinished);
      ASSERT_EQ(scribe.crashes.size(), 1u) << call;
      EXPECT_EQ(scribe.statuses[0].code(), absl::StatusCode::kAborted);
      EXPECT_TRUE(scribe.statuses[1].ok());
      EXPECT_EQ(world.crash_counts().crash_points.at("work"), 1u);
      EXPECT_EQ(world.machine().striker.misfits(), 0u);
    }
  }
  World world(1, kStrict, CutAt(FaultKind::kPowerCut, Phase::kBefore, kWorkCalls + 1), {});
  Scribe scribe;
  world.Live(scribe);
  EXPECT_TRUE(scribe.crashes.empty());
  world.machine().striker.CountUnstruck();
  EXPECT_EQ(world.machine().striker.misfits(), 1u);
}

TEST(World, APowerCutKeepsWhatWasSyncedAndAKillEverything) {
  bool lost_something = false;
  for (Seed seed = 0; seed < 50; ++seed) {
    World cut(seed, kStrict, CutAt(FaultKind::kPowerCut, Phase::kAfter, kWorkCalls), {});
    Scribe scribe;
    cut.Live(scribe);
    EXPECT_GE(scribe.sizes_at_boot[1], std::string("synced").size());
    lost_something |= scribe.sizes_at_boot[1] < std::string("syncedunsynced").size();
    World kill(seed, kStrict, CutAt(FaultKind::kKill, Phase::kAfter, kWorkCalls), {});
    Scribe killed;
    kill.Live(killed);
    EXPECT_EQ(killed.sizes_at_boot[1], std::string("syncedunsynced").size());
  }
  EXPECT_TRUE(lost_something);
}

TEST(World, TheResolvedPlanLivesTheSameLifeAgain) {
  for (Seed seed = 0; seed < 50; ++seed) {
    FaultPlan drawn;
    for (int i = 0; i < 3; ++i) {
      drawn.cuts.push_back({.kind = i == 1 ? FaultKind::kKill : FaultKind::kPowerCut,
                            .phase = Phase::kInside,
                            .place = DrawnPlace{.span = "work", .skip_calls = 3}});
    }
    World first(seed, kStrict, drawn, {});
    Scribe scribe;
    scribe.before = [&] { first.RecoveryDone(); };
    first.Live(scribe);
    ASSERT_EQ(scribe.crashes.size(), 3u);
    World second(seed, kStrict, first.machine().striker.Resolved(), {});
    Scribe again;
    again.before = [&] { second.RecoveryDone(); };
    second.Live(again);
    const Digest digest = first.FinishDigest();  // Once: it ends the recording.
    EXPECT_EQ(digest, second.FinishDigest());
    EXPECT_EQ(second.machine().striker.misfits(), 0u);
    World moved(seed, kStrict, DrawnAgain(first.machine().striker.Resolved()), {});
    Scribe fourth;
    fourth.before = [&] { moved.RecoveryDone(); };
    moved.Live(fourth);
    EXPECT_EQ(digest, moved.FinishDigest());
    World other(seed + 1000, kStrict, drawn, {});
    Scribe third;
    other.Live(third);
    EXPECT_NE(digest, other.FinishDigest());
  }
}

// Places that are told by operations stay where they are among those that are left.
TEST(World, APlaceDrawnAgainSurvivesTheLossOfAnEarlierOperation) {
  const auto live = [](const FaultPlan& faults, const std::vector<uint32_t>& operations) {
    auto world = std::make_unique<World>(7, kStrict, faults, MachineOptions{});
    Scribe scribe;
    scribe.again = [&](const engine::Env& env) {
      for (const uint32_t operation : operations) {
        if (world->dead()) return;
        world->OperationBegins(operation);
        for (int call = 0; call < 3; ++call) {
          SPAN("step");
          static_cast<void>(env.files->SyncDir(""));
        }
      }
    };
    world->Live(scribe);
    return world;
  };
  FaultPlan faults;  // The second call of the third operation: the eighth run of "step".
  faults.cuts.push_back(
      {.phase = Phase::kBefore, .place = Anchor{.span = "step", .occurrence = 8, .call = 1}});
  const auto whole = live(faults, {1, 2, 3, 4});
  FaultPlan moved = DrawnAgain(whole->machine().striker.Resolved());
  ASSERT_EQ(moved.cuts.size(), 1u);
  EXPECT_EQ(moved.cuts[0].armed_at_operation, 3u);
  moved.cuts[0].armed_at_operation = 2;
  const auto shorter = live(moved, {2, 3, 4});
  const FaultPlan found = shorter->machine().striker.Resolved();
  ASSERT_EQ(found.cuts.size(), 1u);
  EXPECT_EQ(std::get<Anchor>(found.cuts[0].place),
            (Anchor{.span = "step", .occurrence = 5, .call = 1}));
}

TEST(World, AProcessHasTheLuckThatIsListedForIt) {
  const auto live = [](std::vector<uint32_t> lucks) {
    FaultPlan faults = CutAt(FaultKind::kKill, Phase::kAfter, kWorkCalls);
    World world(3, kStrict, faults, {.lucks = std::move(lucks)});
    Scribe scribe;
    world.Live(scribe);
    return world.FinishDigest();
  };
  EXPECT_EQ(live({1, 2}), live({}));
  EXPECT_EQ(live({1}), live({}));
  EXPECT_NE(live({2}), live({}));
  EXPECT_NE(live({1, 3}), live({}));
}

TEST(World, ADeadProcessThatDoesNotRunOutIsStuck) {
  World world(1, kStrict, CutAt(FaultKind::kKill, Phase::kBefore, 1), {});
  Scribe scribe;
  scribe.again = [](const engine::Env& env) {
    while (!env.files->List("").ok()) {
    }
  };
  EXPECT_EQ(world.Live(scribe), Ending::kDoesNotRunOut);
}

TEST(World, AStepBudgetEndsALifeThatDoesNot) {
  World world(1, kStrict, {}, {.step_budget = 1000});
  Scribe scribe;
  scribe.again = [](const engine::Env& env) {
    while (env.files->List("").ok()) {
    }
  };
  EXPECT_EQ(world.Live(scribe), Ending::kGaveUp);
}

TEST(World, ASyncErrorIsToldOnceAndItsGhostsMayVanishWithTheProcess) {
  bool vanished = false;
  bool stayed = false;
  for (Seed seed = 0; seed < 50; ++seed) {
    FaultPlan plan = CutAt(FaultKind::kKill, Phase::kBefore, kWorkCalls);
    plan.sync_errors.push_back({.anchor = Anchor{.boot = 1, .span = "work", .call = 4},
                                .ghost_pages = std::vector<uint64_t>{0}});
    plan.cuts[0].place = AtEnd{};
    World world(seed, kStrict, plan, {});
    std::string seen;
    Scribe scribe;
    scribe.again = [&](const engine::Env& env) {
      const auto file = env.files->Open("0.wal", OpenMode::kRead);
      std::string bytes(6, '\0');
      ASSERT_TRUE(file.ok());
      ASSERT_TRUE((*file)->ReadAt(0, std::as_writable_bytes(std::span(bytes))).ok());
      seen = bytes;
      if (scribe.crashes.empty()) world.AllHaveEnded();
    };
    world.Live(scribe);
    ASSERT_EQ(scribe.statuses[0].code(), absl::StatusCode::kUnavailable);
    ASSERT_EQ(scribe.crashes.size(), 1u);
    (seen == "synced" ? stayed : vanished) = true;
  }
  EXPECT_TRUE(vanished);
  EXPECT_TRUE(stayed);
}

TEST(World, PlantsLeaveSyncsOut) {
  FaultPlan plan = CutAt(FaultKind::kPowerCut, Phase::kAfter, kWorkCalls);
  plan.plants.push_back(Plant::kNoDirectorySync);
  bool name_lost = false;
  for (Seed seed = 0; seed < 50; ++seed) {
    World world(seed, kStrict, plan, {});
    Scribe scribe;
    world.Live(scribe);
    name_lost |= scribe.sizes_at_boot[1] == 0;
  }
  EXPECT_TRUE(name_lost);
}

TEST(World, TellsACutBeforeTheDeadProcessRunsOut) {
  std::string decisions;
  MachineOptions options;
  options.on_decision = [&](std::string_view text) { decisions += text; };
  World world(1, kStrict, CutAt(FaultKind::kKill, Phase::kAfter, 2), options);
  std::string told_while_dying;
  Scribe scribe;
  scribe.again = [&](const engine::Env&) {
    if (scribe.crashes.empty()) told_while_dying = decisions;
  };
  world.Live(scribe);
  EXPECT_EQ(told_while_dying.find("cut kill after call 2 of work#1 in boot 1"), 0u);
  EXPECT_EQ(decisions, told_while_dying);
}

TEST(World, ACutAfterAnOperationThatNeverComesIsAMisfit) {
  FaultPlan plan;
  plan.cuts.push_back({.phase = Phase::kAfter, .place = AfterOperation{7}});
  World world(1, kStrict, plan, {});
  Scribe scribe;
  scribe.again = [&](const engine::Env&) {
    EXPECT_FALSE(world.OperationEnds(6) || world.AllHaveEnded());
  };
  world.Live(scribe);
  world.machine().striker.CountUnstruck();
  EXPECT_EQ(world.machine().striker.misfits(), 1u);
  EXPECT_EQ(world.machine().striker.first_misfit(), "the life never came to operation 7");
}

TEST(World, ASyncThatNeverHappensDoesNotFail) {
  FaultPlan plan = CutAt(FaultKind::kKill, Phase::kBefore, 4);  // The sync.
  plan.sync_errors.push_back({.anchor = Anchor{.boot = 1, .span = "work", .call = 4}});
  World world(1, kStrict, plan, {});
  Scribe scribe;
  world.Live(scribe);
  EXPECT_EQ(scribe.crashes.size(), 1u);
  EXPECT_EQ(world.sync_errors_fired(), 0u);
}

TEST(World, ACallWithoutAnInsideIsCutAfterIt) {
  World world(1, kStrict, CutAt(FaultKind::kKill, Phase::kInside, 1), {});  // The open.
  Scribe scribe;
  world.Live(scribe);
  const FaultPlan resolved = world.machine().striker.Resolved();
  EXPECT_EQ(resolved.cuts[0].phase, Phase::kAfter);
  EXPECT_FALSE(resolved.cuts[0].inside_steps.has_value());
}

TEST(World, AListedChoiceThatIsNotLegalIsAMisfit) {
  FaultPlan plan = CutAt(FaultKind::kPowerCut, Phase::kAfter, kWorkCalls);
  plan.plants.push_back(Plant::kNoWalSync);
  // The second version of a page is never there without the first (rule D1).
  plan.cuts[0].fates = std::vector<ListedFate>{{.text = "page wal@1:work#1 0 v1", .kept = false},
                                               {.text = "page wal@1:work#1 0 v2"}};
  World world(1, kStrict, plan, {});
  Scribe scribe;
  world.Live(scribe);
  EXPECT_EQ(world.crash_counts().not_owed, 0u);
  EXPECT_EQ(world.machine().striker.misfits(), 1u);
}

}  // namespace
}  // namespace kiban::sim
