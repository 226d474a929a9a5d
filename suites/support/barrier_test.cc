// Goal:   what is named is the sync that the plant takes away, and before what it must come; where
//         no sync helps, or two are needed, that is said.
// Method: shrunk cases of the planted bugs are searched without knowing them; then lives that are
//         made up here, of a machine with two files, hold by a rule that says what must be synced.
#include "suites/support/barrier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/check.h"
#include "suites/mutants/mutants.h"
#include "suites/support/case_file.h"
#include "suites/support/life.h"

namespace kiban::suites {
namespace {

Plan MustParse(const std::string& text) {
  absl::StatusOr<Case> c = ParseCase("case 1\nsuite crash profile strict " + text);
  EXPECT_TRUE(c.ok()) << c.status();
  return c.ok() ? c->plan : Plan{};
}

std::string Named(const Plan& plan) { return FindBarrier(plan, {.live = RunLife}); }

// What the crash suite found and shrank, but for what can be planted by name.
struct Known {
  const char* mutant;
  const char* plan;
  const char* barrier;
};

const Known kKnown[] = {
    {"no-wal-sync",
     "engine lsm seed 0\n"
     "op 115 put \"k1\" 8 sync\n"
     "plant seam no-wal-sync\n"
     "cut power after operation 115 listed\n"
     "  lost size wal@1:open.O7#1 72 v2\n",
     "holds if  sync *.wal (write.sync)  comes before  acknowledgement of op 115"},
    {"no-table-sync",
     "engine lsm seed 1\n"
     "op 1 put \"k\" 8\nop 3 flush\nop 4 compact\n"
     "plant seam no-table-sync\n"
     "cut power after call 1 of publish.M2#3 in boot 1 listed\n"
     "  lost size sst@1:flush.F1#1 150 v1\n",
     "holds if  sync *.sst (flush.F2)  comes before  "
     "rename MANIFEST.tmp -> MANIFEST (flush.F4, publish.M3)"},
    {"no-directory-sync",
     "engine lsm seed 0\n"
     "op 1 put \"k\" 8\n"
     "plant seam no-directory-sync\n"
     "cut power after operation 1 listed\n"
     "  lost rename MANIFEST.tmp@1:publish.M1#1 db/MANIFEST.tmp -> db/MANIFEST\n",
     "holds if  dir-sync db/ (open.O6, publish.M4)  comes before  write *.wal (write.append)"},
    {"sync-parent-directory",
     "engine lsm seed 0\n"
     "op 1 put \"k\" 8\n"
     "plant seam sync-parent-directory\n"
     "cut power after operation 1 listed\n"
     "  lost rename MANIFEST.tmp@1:publish.M1#1 db/MANIFEST.tmp -> db/MANIFEST\n",
     "holds if  dir-sync db/ (open.O6, publish.M4)  comes before  write *.wal (write.append)"},
    {"manifest-sync-late",
     "engine lsm seed 29\n"
     "plant seam manifest-sync-late\n"
     "cut kill after call 1 of publish.M3#1 in boot 1 warm-cache\n"
     "recovery-cut power after call 1 of publish.M3#1 in boot 2 listed\n"
     "  lost size MANIFEST.tmp@2:publish.M1#1 56 v1\n",
     "holds if  sync MANIFEST.tmp (open.O6, publish.M2)  comes before  "
     "rename MANIFEST.tmp -> MANIFEST (open.O6, publish.M3)"},
    {"no-old-log-sync",
     "engine lsm seed 1\n"
     "op 146 put \"k\" 8\nop 194 flush\n"
     "plant seam no-old-log-sync\n"
     "cut power before call 1 of publish.M1#2 in boot 1 listed\n"
     "  lost page wal@1:open.O7#1 0 v2\n",
     "holds if  sync *.wal (switch.T1)  comes before  create *.wal (switch.T2)"},
    {"toy-no-sync",
     "engine toy seed 0\n"
     "bug toy-no-sync\n"
     "op 53 put \"k1\" 8 sync\nop 54 reopen\n"
     "cut power after call 1 of toy.lock#2 in boot 1 listed\n"
     "  lost size LOG.new@1:toy.write_new#1 45 v2\n",
     "holds if  sync LOG owed by toy.append  comes before  acknowledgement of op 53"},
    {"toy-publish-before-sync",
     "engine toy seed 6\n"
     "bug toy-publish-before-sync\n"
     "cut power before call 1 of toy.sync_dir#1 in boot 1 listed\n"
     "  lost size LOG.new@1:toy.write_new#1 16 v1\n",
     "holds if  sync LOG.new owed by toy.write_new  comes before  "
     "rename LOG.new -> LOG (toy.rename)"},
};

std::vector<Mutant> MutantsThatTakeAnEdgeAway() {
  std::vector<Mutant> mutants = SeamMutants();
  const std::vector<Mutant> toys = EngineMutants(*FindEngine("toy"));
  mutants.insert(mutants.end(), toys.begin(), toys.end());
  std::erase_if(mutants, [](const Mutant& mutant) { return mutant.edge.empty(); });
  return mutants;
}

TEST(Barrier, IsTheSyncThatIsPlantedAway) {
  for (const Known& known : kKnown) {
    EXPECT_EQ(Named(MustParse(known.plan)), known.barrier) << known.mutant;
  }
}

TEST(Barrier, OfEachMutantThatTakesOneAwayIsWhatItDeclares) {
  const std::vector<Mutant> mutants = MutantsThatTakeAnEdgeAway();
  ASSERT_EQ(mutants.size(), std::size(kKnown));
  for (const Mutant& mutant : mutants) {
    const auto* const known =
        std::find_if(std::begin(kKnown), std::end(kKnown),
                     [&](const Known& each) { return each.mutant == mutant.name; });
    ASSERT_NE(known, std::end(kKnown)) << mutant.name;
    EXPECT_TRUE(IsNamedRightly(mutant, known->barrier)) << mutant.name;
    EXPECT_FALSE(IsNamedRightly(mutant, "")) << mutant.name;
    for (const Known& other : kKnown) {
      const bool is_alike = other.barrier == std::string(known->barrier) ||
                            mutant.name == "no-wal-sync";  // It leaves the old log's out as well.
      if (!is_alike && mutant.edge.find("dir-sync") == std::string::npos) {
        EXPECT_FALSE(IsNamedRightly(mutant, other.barrier)) << mutant.name << " " << other.mutant;
      }
    }
  }
}

TEST(Barrier, OfAKillThereIsNone) {
  EXPECT_EQ(Named(MustParse("engine lsm seed 15\n"
                            "op 95 put \"k\" 5251\nop 189 put \"kkk\" 8\n"
                            "plant seam sync-error-ignored\n"
                            "sync-error at call 1 of flush.F2#1 in boot 1 ghosts 1\n"
                            "cut kill after operation 189 cold-cache\n")),
            "");
}

TEST(Barrier, OfALifeThatHoldsThereIsNone) {
  EXPECT_EQ(Named(MustParse("engine lsm seed 0\n"
                            "op 1 put \"k\" 8\n"
                            "cut power after operation 1 listed\n"
                            "  lost size wal@1:open.O7#1 72 v2\n")),
            "");
}

// A sync that is no call changes nothing but what a cut may take.
TEST(Barrier, SyncsOfItsOwnLeaveTheLifeAsItIs) {
  const Plan plan = MustParse("engine lsm seed 0\nop 1 put \"k\" 8\nop 2 flush\nop 3 get \"k\"\n");
  const LifeReport bare = RunLife(plan, {});
  LifeOptions synced;
  for (uint64_t event = 0; event < 60; ++event) {
    synced.extra_syncs.push_back({event, true, "db"});
    synced.extra_syncs.push_back({event, false, "wal@1:open.O7#1"});
  }
  EXPECT_EQ(bare.verdict, Verdict::kHeld);
  EXPECT_EQ(RunLife(plan, synced).digest, bare.digest);
}

// A machine on which op 1 writes two files and is acknowledged, and a cut takes both away.
sim::Told Write(uint64_t event, const std::string& name) {
  sim::Told told;
  told.kind = sim::Told::Kind::kCall;
  told.event = event;
  told.call = "write";
  told.path = name;
  told.result = "ok";
  told.span = "s." + name;
  const std::string label = name + "@1:s#1";
  told.owes = {"add " + label + " " + name, "page " + label + " 0 v1"};
  return told;
}

sim::Told Note(uint64_t event, const std::string& text) {
  sim::Told told;
  told.kind = sim::Told::Kind::kNote;
  told.event = event;
  told.text = text;
  return told;
}

sim::Told TakeAll(uint64_t event, sim::Told::Kind kind) {
  sim::Told told;
  told.kind = kind;
  told.event = event;
  for (const char* const name : {"a", "b"}) {
    told.fates.push_back({std::string("page ") + name + "@1:s#1 0 v1", "lost", "D1"});
  }
  return told;
}

void Tell(const LifeOptions& options) {
  if (!options.on_event) return;
  for (const sim::Told& told :
       {Note(0, "op 1 put \"k\" 8 sync"), Write(1, "a"), Write(2, "b"), Note(3, "  = sequence 1"),
        TakeAll(4, sim::Told::Kind::kDeath), TakeAll(4, sim::Told::Kind::kCut)}) {
    options.on_event(told);
  }
}

LifeReport Ended(bool holds) {
  LifeReport report;
  report.verdict = holds ? Verdict::kHeld : Verdict::kViolated;
  return report;
}

// Whether it was synced after it was written, and before the acknowledgement.
bool IsSynced(const LifeOptions& options, const std::string& label, uint64_t written) {
  return std::any_of(options.extra_syncs.begin(), options.extra_syncs.end(),
                     [&](const sim::ExtraSync& sync) {
                       return sync.target == label && sync.before_event > written;
                     });
}

LifeReport NeedsBoth(const Plan& plan, const LifeOptions& options) {
  Tell(options);
  const auto* const moved = std::get_if<sim::Anchor>(&plan.faults.cuts[0].place);
  const bool is_early = moved != nullptr;  // Nothing is promised by then.
  return Ended(is_early || (IsSynced(options, "a@1:s#1", 1) && IsSynced(options, "b@1:s#1", 2)));
}

LifeReport NeedsWhatNoSyncGives(const Plan&, const LifeOptions& options) {
  Tell(options);
  return Ended(false);
}

// What is torn was not owed before it was torn.
LifeReport NeedsTheLastWriteWhole(const Plan&, const LifeOptions& options) {
  Tell(options);
  return Ended(IsSynced(options, "b@1:s#1", 3));
}

Plan OfOneCut() {
  Plan plan;
  plan.faults.cuts.push_back({.place = sim::AfterOperation{1}});
  return plan;
}

TEST(Barrier, TakesTwoSyncsWhereOneIsNotEnough) {
  EXPECT_EQ(FindBarrier(OfOneCut(), {.live = NeedsBoth}),
            "holds if  sync a owed by write a  comes before  acknowledgement of op 1"
            "  and  sync b owed by write b  comes before  acknowledgement of op 1");
}

TEST(Barrier, SaysThatThereIsNone) {
  EXPECT_EQ(FindBarrier(OfOneCut(), {.live = NeedsWhatNoSyncGives}),
            "no single sync, and no two, would make it hold");
}

TEST(Barrier, IsNotASyncBehindTheLastThatDependsOnIt) {
  EXPECT_EQ(FindBarrier(OfOneCut(), {.live = NeedsTheLastWriteWhole}),
            "no single sync, and no two, would make it hold");
}

TEST(Barrier, IsComparedWithStarsForAnyText) {
  EXPECT_TRUE(IsBarrier("sync *.wal (*) before *", "sync *.wal (write.sync) before x"));
  EXPECT_TRUE(IsBarrier("a*", "a"));
  EXPECT_FALSE(IsBarrier("a*b", "ac"));
  EXPECT_FALSE(IsBarrier("sync *.sst*", "sync *.wal (write.sync)"));
  EXPECT_FALSE(IsBarrier("", "a"));
}

}  // namespace
}  // namespace kiban::suites
