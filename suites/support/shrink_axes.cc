#include "suites/support/shrink_axes.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "suites/support/shrink_operations.h"

namespace kiban::suites {
namespace {

using Things = std::vector<std::string>;

template <typename List>
void Erase(List& list, size_t from, size_t count) {
  const auto first = list.begin() + static_cast<std::ptrdiff_t>(from);
  list.erase(first, first + static_cast<std::ptrdiff_t>(count));
}

Things Numbers(size_t count) {
  Things numbers;
  for (size_t i = 1; i <= count; ++i) numbers.push_back(absl::StrCat(i));
  return numbers;
}

// Cuts, by their number in the case.

Things Cuts(const Plan& plan) { return Numbers(plan.faults.cuts.size()); }

// `count` boots from `from` on never come, and those behind come earlier.
std::map<uint32_t, EngineOptions> WithoutBoots(const std::map<uint32_t, EngineOptions>& boots,
                                               uint32_t from, uint32_t count) {
  std::map<uint32_t, EngineOptions> left;
  for (const auto& [boot, options] : boots) {
    if (boot < from) left.emplace(boot, options);
    if (boot >= from + count) left.emplace(boot - count, options);
  }
  return left;
}

enum TakeCutWay : size_t { kLaterLuck, kEarlierLuck, kTakeCutWays };

// The process that a cut ended goes on, with the luck of the one behind it or with its own. All
// others keep theirs.
void TakeCuts(Plan& plan, size_t from, size_t count, size_t way) {
  while (plan.lucks.size() <= plan.faults.cuts.size()) {
    plan.lucks.push_back(static_cast<uint32_t>(plan.lucks.size()) + 1);
  }
  Erase(plan.lucks, way == kLaterLuck ? from : from + 1, count);
  Erase(plan.faults.cuts, from, count);
  const auto first = static_cast<uint32_t>(from) + 1;
  plan.boots = WithoutBoots(plan.boots, first + 1, static_cast<uint32_t>(count));
  if (!plan.schedule.has_value()) return;
  for (sim::DrawnSteps& steps : *plan.schedule) {
    if (steps.boot > first) {
      steps.boot = std::max(first, steps.boot - static_cast<uint32_t>(count));
    }
  }
}

// What makes a cut harder to follow than a kill before a call.

std::vector<sim::Cut*> HardCuts(Plan& plan) {
  std::vector<sim::Cut*> hard;
  for (sim::Cut& cut : plan.faults.cuts) {
    const bool is_cold = cut.evict_ghosts.value_or(false);
    if (cut.kind == sim::FaultKind::kPowerCut || cut.phase == sim::Phase::kInside || is_cold) {
      hard.push_back(&cut);
    }
  }
  return hard;
}

Things CutKinds(const Plan& plan) {
  Things names;
  for (size_t i = 0; i < plan.faults.cuts.size(); ++i) {
    const sim::Cut& cut = plan.faults.cuts[i];
    if (cut.kind == sim::FaultKind::kPowerCut || cut.phase == sim::Phase::kInside ||
        cut.evict_ghosts.value_or(false)) {
      names.push_back(absl::StrCat(i + 1));
    }
  }
  return names;
}

enum CutWay : size_t { kToKill, kToBefore, kToAfter, kCutWays };

void MakeCutsPlain(Plan& plan, size_t from, size_t count, size_t way) {
  const std::vector<sim::Cut*> hard = HardCuts(plan);
  for (size_t i = from; i < from + count; ++i) {
    sim::Cut& cut = *hard[i];
    if (way == kToKill) {
      cut.kind = sim::FaultKind::kKill;
      cut.evict_ghosts = false;
      cut.fates.reset();
    } else if (cut.phase == sim::Phase::kInside) {
      cut.phase = way == kToBefore ? sim::Phase::kBefore : sim::Phase::kAfter;
      cut.inside_steps.reset();
    }
  }
}

// What cuts lost or tore: "1.2" is the second of the first cut.

template <typename PlanT>
auto Fates(PlanT& plan, Things* names) {
  std::vector<std::pair<size_t, size_t>> found;
  for (size_t i = 0; i < plan.faults.cuts.size(); ++i) {
    const auto& fates = plan.faults.cuts[i].fates;
    if (!fates.has_value()) continue;
    for (size_t j = 0; j < fates->size(); ++j) {
      found.emplace_back(i, j);
      if (names != nullptr) names->push_back(absl::StrCat(i + 1, ".", j + 1));
    }
  }
  return found;
}

Things Lost(const Plan& plan) {
  Things names;
  Fates(plan, &names);
  return names;
}

// A torn page is kept whole, or lost; everything else is kept.
void KeepLost(Plan& plan, size_t from, size_t count, size_t) {
  const auto found = Fates(plan, nullptr);
  for (size_t k = from + count; k-- > from;) {
    Erase(*plan.faults.cuts[found[k].first].fates, found[k].second, 1);
  }
}

Things SyncErrors(const Plan& plan) { return Numbers(plan.faults.sync_errors.size()); }

void TakeSyncErrors(Plan& plan, size_t from, size_t count, size_t) {
  Erase(plan.faults.sync_errors, from, count);
}

std::vector<std::pair<size_t, size_t>> GhostPages(const Plan& plan) {
  std::vector<std::pair<size_t, size_t>> found;
  for (size_t i = 0; i < plan.faults.sync_errors.size(); ++i) {
    const auto& pages = plan.faults.sync_errors[i].ghost_pages;
    for (size_t j = 0; pages.has_value() && j < pages->size(); ++j) found.emplace_back(i, j);
  }
  return found;
}

Things Ghosts(const Plan& plan) {
  Things names;
  for (const auto& [error, page] : GhostPages(plan)) {
    names.push_back(
        absl::StrCat(error + 1, ".", (*plan.faults.sync_errors[error].ghost_pages)[page]));
  }
  return names;
}

void TakeGhosts(Plan& plan, size_t from, size_t count, size_t) {
  const auto found = GhostPages(plan);
  for (size_t k = from + count; k-- > from;) {
    Erase(*plan.faults.sync_errors[found[k].first].ghost_pages, found[k].second, 1);
  }
}

// Options that are not named are the plainest. "14.block_bytes": of the reopen 14;
// "boot-2.write_format": of the second boot, which otherwise opens as the one before.

struct OptionSet {
  std::string owner;  // In front of a name.
  EngineOptions* options;
};

std::vector<OptionSet> OptionSets(Plan& plan) {
  std::vector<OptionSet> sets = {{"", &plan.options}};
  for (auto& [boot, options] : plan.boots)
    sets.push_back({absl::StrCat("boot-", boot, "."), &options});
  for (Operation& operation : plan.operations) {
    sets.push_back({absl::StrCat(operation.id, "."), &operation.options});
  }
  return sets;
}

Things Options(const Plan& plan) {
  Plan copy = plan;
  Things names;
  for (const OptionSet& set : OptionSets(copy)) {
    for (const auto& [name, value] : *set.options) names.push_back(set.owner + name);
  }
  return names;
}

void TakeOptions(Plan& plan, size_t from, size_t count, size_t) {
  size_t nth = 0;
  for (const OptionSet& set : OptionSets(plan)) {
    std::erase_if(*set.options, [&](const auto&) {
      const size_t at = nth++;
      return at >= from && at < from + count;
    });
  }
  std::erase_if(plan.boots, [](const auto& boot) { return boot.second.empty(); });
}

// Processes that have another's luck than the one of their number.

std::vector<size_t> OtherLucks(const Plan& plan) {
  std::vector<size_t> found;
  for (size_t i = 0; i < plan.lucks.size(); ++i) {
    if (plan.lucks[i] != i + 1) found.push_back(i);
  }
  return found;
}

Things Lucks(const Plan& plan) {
  Things names;
  for (const size_t i : OtherLucks(plan)) names.push_back(absl::StrCat(i + 1));
  return names;
}

void ForgetLucks(Plan& plan, size_t from, size_t count, size_t) {
  const std::vector<size_t> found = OtherLucks(plan);
  for (size_t k = from; k < from + count; ++k) {
    plan.lucks[found[k]] = static_cast<uint32_t>(found[k]) + 1;
  }
  while (!plan.lucks.empty() && plan.lucks.back() == plan.lucks.size()) plan.lucks.pop_back();
}

// Steps that are drawn: "client-2@1.12:17..40", in boot 1 at operation 12.

Things Steps(const Plan& plan) {
  if (plan.clients == 0) return {};
  if (!plan.schedule.has_value()) return {"all"};
  Things names;
  for (const sim::DrawnSteps& steps : *plan.schedule) {
    names.push_back(
        absl::StrCat(steps.task, "@", steps.boot, ".", steps.operation, ":", steps.from));
    if (steps.from != steps.to) absl::StrAppend(&names.back(), "..", steps.to);
  }
  return names;
}

void CalmSteps(Plan& plan, size_t from, size_t count, size_t) {
  if (plan.schedule.has_value()) {
    Erase(*plan.schedule, from, count);
  } else {
    plan.schedule.emplace();
  }
}

}  // namespace

const std::vector<ShrinkAxis>& ShrinkAxes() {
  static const std::vector<ShrinkAxis> axes = {
      {"cuts", Cuts, TakeCuts, kTakeCutWays, true, true},
      {"sync-errors", SyncErrors, TakeSyncErrors, 1, true},
      {"operations", Operations, TakeOperations, kTakeWays, true, true},
      {"clients", Clients, MergeClients, kMergeWays, true, true},
      {"parts", Parts, TakeParts, 1, true},
      {"cut-kinds", CutKinds, MakeCutsPlain, kCutWays},
      {"options", Options, TakeOptions},
      {"values", Values, ShortenValues, kValueWays},
      {"keys", Keys, RenameKeys},
      {"lost", Lost, KeepLost},
      {"ghosts", Ghosts, TakeGhosts},
      {"lucks", Lucks, ForgetLucks},
      {"steps", Steps, CalmSteps},
  };
  return axes;
}

}  // namespace kiban::suites
