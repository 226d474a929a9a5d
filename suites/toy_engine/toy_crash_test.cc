// Goal:   the toy survives power cuts and kills at every call that it makes, and each of its
// planted bugs
//         does not.
// Method: one client writes; the machine goes down at the n-th call, for every n, and once more a
// few
//         calls after it has recovered. The oracle is the list of all states there ever were, by
//         sequence: what an open finds must be one of them, not older than the last sync.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "sim/world.h"
#include "suites/toy_engine/adapter.h"

namespace kiban::suites {
namespace {

using State = std::map<std::string, std::string>;

constexpr uint32_t kWrites = 24;

class Client final : public sim::Program {
 public:
  Client(sim::Seed seed, sim::FaultPlan faults, std::string bug)
      : bug_(std::move(bug)), world_(seed, sim::kStrict, std::move(faults), {}) {}

  // What went wrong, or nothing.
  std::string Live() {
    EXPECT_EQ(world_.Live(*this), sim::Ending::kFinished);
    return complaint_;
  }

  uint64_t calls() { return world_.machine().calls; }
  uint64_t crash_count() const { return crash_count_; }
  const std::map<std::string, uint64_t>& marks() { return world_.machine().marks(); }

 private:
  void Run(const engine::Env& env) override {
    const auto db = ToyEngine().open(env, "db", {{"rewrite_bytes", 700}}, bug_);
    if (world_.dead() || !complaint_.empty()) return;
    if (!db.ok()) {
      complaint_ = absl::StrCat("open refused: ", db.status().message());
      return;
    }
    world_.RecoveryDone();
    Judge(**db);
    while (complaint_.empty() && writes_ < kWrites && !world_.dead()) WriteOne(**db);
  }

  void Crashed(sim::FaultKind kind) override {
    ++crash_count_;
    killed_ = kind == sim::FaultKind::kKill;
  }

  void Judge(EngineUnderTest& db) {
    const auto read = db.Scan({}, Direction::kForward, UINT64_MAX, nullptr, nullptr);
    State state;
    for (const KeyValue& pair : *read) state[pair.key] = pair.value;
    const Sequence found = db.last_sequence();
    const Sequence least = killed_ ? acknowledged_ : synced_;
    if (found < least) {
      complaint_ = absl::StrCat("lost: sequence ", least, " was promised, ", found, " was found");
    } else if (found >= states_.size() || states_[found] != state) {
      complaint_ = absl::StrCat("sequence ", found, " never looked like this");
    } else {
      states_.resize(found + 1);
      acknowledged_ = synced_ = found;
    }
  }

  void WriteOne(EngineUnderTest& db) {
    const uint32_t number = writes_++;
    world_.OperationBegins(number);
    const std::string key(1, static_cast<char>('a' + number % 5));
    State after = states_.back();
    after[key] = absl::StrCat(number, std::string(40 * (number % 3), 'x'));
    states_.push_back(after);
    const bool sync = number % 3 != 1;
    const auto done = db.Put(key, after[key], sync ? Durability::kSynced : Durability::kUnsynced);
    if (world_.dead()) return;
    if (!done.ok() || *done != states_.size() - 1) {
      complaint_ = absl::StrCat("write ", number, ": ", done.status().message());
      return;
    }
    acknowledged_ = *done;
    if (sync) synced_ = *done;
    if (!world_.OperationEnds(number + 1) && writes_ == kWrites) world_.AllHaveEnded();
  }

  const std::string bug_;
  sim::World world_;
  std::vector<State> states_ = {State()};  // By sequence.
  Sequence acknowledged_ = 0;
  Sequence synced_ = 0;
  uint32_t writes_ = 0;
  uint64_t crash_count_ = 0;
  bool killed_ = false;
  std::string complaint_;
};

sim::Cut CutAtCall(sim::FaultKind kind, sim::Phase phase, uint64_t call) {
  return {
      .kind = kind,
      .phase = phase,
      .place = sim::DrawnPlace{.span = "(none)", .patience_calls = static_cast<uint32_t>(call)}};
}

struct Lives {
  std::vector<std::string> complaints;
  uint64_t torn_tails = 0;
};

// Lives a life for every call at which the machine can go down.
Lives LivesCutEverywhere(const std::string& bug, sim::FaultKind first) {
  Client quiet(0, {}, bug);
  EXPECT_EQ(quiet.Live(), "");  // No bug shows without a crash.
  EXPECT_GT(quiet.calls(), 40u);
  Lives lives;
  for (uint64_t call = 0; call < quiet.calls(); ++call) {
    for (const sim::Phase phase : {sim::Phase::kBefore, sim::Phase::kInside, sim::Phase::kAfter}) {
      sim::FaultPlan faults;
      faults.cuts.push_back(CutAtCall(first, phase, call));
      faults.cuts.push_back(CutAtCall(sim::FaultKind::kPowerCut, phase, call % 23));
      faults.cuts.back().in_recovery = call % 4 == 0;
      Client client(call, faults, bug);
      const std::string complaint = client.Live();
      EXPECT_GE(client.crash_count(), 1u);
      const auto torn = client.marks().find("toy.torn_tail");
      if (torn != client.marks().end()) lives.torn_tails += torn->second;
      if (!complaint.empty()) {
        lives.complaints.push_back(absl::StrCat("call ", call, ": ", complaint));
      }
    }
  }
  return lives;
}

TEST(ToyEngine, SurvivesEveryPowerCutAndKill) {
  for (const auto kind : {sim::FaultKind::kPowerCut, sim::FaultKind::kKill}) {
    const Lives lives = LivesCutEverywhere("", kind);
    EXPECT_THAT(lives.complaints, testing::IsEmpty());
    EXPECT_GT(lives.torn_tails, 5u);  // Or the hard case was never met.
  }
}

class PlantedBug : public testing::TestWithParam<std::string> {};

TEST_P(PlantedBug, IsSeenByPowerCuts) {
  EXPECT_GT(LivesCutEverywhere(GetParam(), sim::FaultKind::kPowerCut).complaints.size(), 2u);
}

// Of the bugs that a process survives; `kiban mutants` sees the others.
std::vector<std::string> BugNames() {
  std::vector<std::string> names;
  for (const auto& bug : ToyEngine().bugs) {
    if (!bug.ends.has_value()) names.emplace_back(bug.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Toy, PlantedBug, testing::ValuesIn(BugNames()));

}  // namespace
}  // namespace kiban::suites
