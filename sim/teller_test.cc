// Goal:   whoever watches a life is told, of each call, what it left to be made safe and what it
//         made so, and of each cut what was owed and what became of it; and changes nothing.
// Method: a program of a few calls, with a cut or a failed sync planned in it.
#include "sim/teller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "sim/world.h"

namespace kiban::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Writer : public Program {
 public:
  void Run(const engine::Env& env) override { static_cast<void>(Work(env)); }
  void Crashed(FaultKind) override { crashed_ = true; }

 private:
  absl::Status Work(const engine::Env& env) {
    if (crashed_) return absl::OkStatus();
    SPAN("work");
    ASSIGN_OR_RETURN(const std::unique_ptr<engine::File> file,
                     env.files->Open("1.wal", engine::OpenMode::kMustCreate));
    RETURN_IF_ERROR(file->Append(base::AsBytes("one")));
    MARK("written");
    RETURN_IF_ERROR(file->Sync(engine::SyncKind::kData));
    RETURN_IF_ERROR(env.files->SyncDir(""));
    return file->Append(base::AsBytes("two"));
  }

  bool crashed_ = false;
};

struct Watched {
  std::vector<Told> all;
  std::vector<uint64_t> coming;
  Digest digest;

  const Told& Call(std::string_view name, size_t nth = 0) const {
    for (const Told& told : all) {
      if (told.call == name && nth-- == 0) return told;
    }
    CHECK(false);
    std::abort();
  }
  const Told& First(Told::Kind kind) const {
    for (const Told& told : all) {
      if (told.kind == kind) return told;
    }
    CHECK(false);
    std::abort();
  }
};

Watched Live(Program& program, FaultPlan plan = {}, bool is_watched = true) {
  Watched watched;
  MachineOptions options;
  if (is_watched) {
    options.on_event = [&](const Told& told) { watched.all.push_back(told); };
    options.before_event = [&](uint64_t number) { watched.coming.push_back(number); };
  }
  World world(7, kStrict, std::move(plan), std::move(options));
  EXPECT_EQ(world.Live(program), Ending::kFinished);
  watched.digest = world.FinishDigest();
  return watched;
}

Watched Live(FaultPlan plan, bool is_watched = true) {
  Writer writer;
  return Live(writer, std::move(plan), is_watched);
}

FaultPlan CutBefore(uint32_t call) {
  FaultPlan plan;
  plan.cuts.push_back({.kind = FaultKind::kPowerCut,
                       .phase = Phase::kBefore,
                       .place = Anchor{.boot = 1, .span = "work", .call = call}});
  return plan;
}

constexpr char kAdd[] = "add wal@1:work#1 1.wal";
constexpr char kPage[] = "page wal@1:work#1 0 v1";
constexpr char kSize[] = "size wal@1:work#1 3 v1";

TEST(Teller, SaysWhatEachCallOwesAndMakesSafe) {
  const Watched life = Live({});
  EXPECT_THAT(life.Call("open").owes, ElementsAre(kAdd));
  EXPECT_THAT(life.Call("write").owes, ElementsAre(kPage, kSize));
  EXPECT_EQ(life.Call("write").text, "3 bytes at 0");
  EXPECT_EQ(life.Call("write").owed_bytes, 512u);
  EXPECT_EQ(life.Call("write").span, "work");
  EXPECT_EQ(life.Call("write").task, "main");
  EXPECT_THAT(life.Call("sync").safe, ElementsAre(kPage, kSize));
  EXPECT_EQ(life.Call("sync").label, "wal@1:work#1");
  EXPECT_EQ(life.Call("syncdir").label, "");
  EXPECT_EQ(life.Call("sync").owed_bytes, 0u);
  EXPECT_THAT(life.Call("syncdir").safe, ElementsAre(kAdd));
  EXPECT_EQ(life.First(Told::Kind::kMark).text, "written");
  EXPECT_EQ(life.First(Told::Kind::kSpanEnter).text, "work");
}

TEST(Teller, SaysOfAFailedSyncWhatIsNeitherOwedNorSafe) {
  FaultPlan plan;
  plan.sync_errors.push_back({.anchor = Anchor{.boot = 1, .span = "work", .call = 3},
                              .ghost_pages = std::vector<uint64_t>{0}});
  const Watched life = Live(plan);
  EXPECT_THAT(life.Call("sync").damaged, ElementsAre(kPage));
  EXPECT_THAT(life.Call("sync").safe, ElementsAre(kSize));
  EXPECT_NE(life.Call("sync").result, "ok");
}

// The sync of its bytes was left out, its name went for good, nobody holds it.
class Remover : public Program {
 public:
  void Run(const engine::Env& env) override { EXPECT_TRUE(Work(env).ok()); }
  void Crashed(FaultKind) override {}

 private:
  static absl::Status Work(const engine::Env& env) {
    SPAN("work");
    {
      ASSIGN_OR_RETURN(const std::unique_ptr<engine::File> file,
                       env.files->Open("1.wal", engine::OpenMode::kMustCreate));
      RETURN_IF_ERROR(file->Append(base::AsBytes("one")));
      RETURN_IF_ERROR(file->Close());
    }
    RETURN_IF_ERROR(env.files->Remove("1.wal"));
    return env.files->SyncDir("");
  }
};

TEST(Teller, DoesNotCallSafeWhatWentWithItsFile) {
  Remover remover;
  const Watched life = Live(remover);
  EXPECT_THAT(life.Call("syncdir").safe, ElementsAre(kAdd, "del wal@1:work#1 1.wal"));
  EXPECT_THAT(life.Call("syncdir").gone, ElementsAre(kPage, kSize));
  EXPECT_EQ(life.Call("syncdir").owed_bytes, 0u);
}

TEST(Teller, SaysWhatBecameOfAllThatWasOwedAtACut) {
  FaultPlan plan = CutBefore(3);
  plan.cuts[0].fates.emplace();
  plan.cuts[0].fates->push_back({.text = kSize, .kept = false});
  const Watched life = Live(plan);
  std::vector<std::string> fates;
  for (const ToldFate& fate : life.First(Told::Kind::kCut).fates) {
    fates.push_back(fate.fate + " " + fate.text + " " + fate.rule.substr(0, fate.rule.find(':')));
  }
  EXPECT_THAT(fates,
              ElementsAre(std::string("kept ") + kAdd + " ", std::string("kept ") + kPage + " ",
                          std::string("lost ") + kSize + " D8"));
  EXPECT_EQ(life.all.back().boot, 2u);
}

TEST(Teller, NumbersEventsAsTheTraceDoesAndSaysEachBefore) {
  const Watched life = Live(CutBefore(5));
  uint64_t next = 0;
  for (const Told& told : life.all) {
    if (EventLine(told).empty() || told.kind == Told::Kind::kCut) continue;
    EXPECT_EQ(told.event, next++) << EventLine(told);
  }
  ASSERT_FALSE(life.coming.empty());
  for (uint64_t number = 0; number < next; ++number) {
    EXPECT_THAT(life.coming, testing::Contains(number));
  }
}

TEST(Teller, ChangesNothing) {
  for (uint32_t call = 1; call <= 5; ++call) {
    EXPECT_EQ(Live(CutBefore(call)).digest, Live(CutBefore(call), /*is_watched=*/false).digest);
  }
}

TEST(EventLine, IsEmptyForWhatIsNoEvent) {
  EXPECT_THAT(EventLine({.kind = Told::Kind::kBoot}), IsEmpty());
  EXPECT_THAT(EventLine({.kind = Told::Kind::kSpanEnter, .text = "work"}), IsEmpty());
}

}  // namespace
}  // namespace kiban::sim
