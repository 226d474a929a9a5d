#include "suites/realfs/stress_plan.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "suites/support/mutations.h"

namespace kiban::suites {
namespace {

constexpr std::string_view kKeyPrefix = "key";
constexpr uint32_t kFirstKey = 1'000;    // So that all keys have four digits and sort by number.
constexpr uint32_t kValueBytesMin = 24;  // The head, which tells the origin, must not be cut off.

uint32_t IdOf(const StressCall& call) {
  return (call.round * kStressTasks + call.task) * kStressCallsMax + call.index + 1;
}

StressCall CallOf(uint32_t id) {
  const uint32_t number = id - 1;
  return {.round = number / kStressCallsMax / kStressTasks,
          .task = number / kStressCallsMax % kStressTasks,
          .index = number % kStressCallsMax};
}

// Half of all draws take one of a few, so that calls meet.
std::string DrawKey(sim::Rng& dice) {
  const uint64_t among = dice.Chance(1, 2) ? 10 : kStressKeys;
  return StressPlan::KeyText(static_cast<uint32_t>(dice.Below(among)));
}

uint32_t DrawBytes(sim::Rng& dice) {
  const uint64_t most = dice.Chance(1, 20) ? 5'000 : 300;
  return static_cast<uint32_t>(dice.Between(kValueBytesMin, most));
}

std::optional<uint32_t> NumberBefore(std::string_view& text, char end) {
  const size_t at = text.find(end);
  uint32_t number = 0;
  if (at == text.npos || !absl::SimpleAtoi(base::ToAbsl(text.substr(0, at)), &number)) {
    return std::nullopt;
  }
  text.remove_prefix(at + 1);
  return number;
}

}  // namespace

std::string StressPlan::KeyText(uint32_t key) { return absl::StrCat("key", kFirstKey + key); }

uint32_t StressPlan::KeyNumber(std::string_view text) {
  uint32_t number = 0;
  const bool is_key = text.starts_with(kKeyPrefix) &&
                      absl::SimpleAtoi(base::ToAbsl(text.substr(kKeyPrefix.size())), &number) &&
                      number >= kFirstKey && number < kFirstKey + kStressKeys;
  return is_key && KeyText(number - kFirstKey) == text ? number - kFirstKey : kStressKeys;
}

EngineOptions StressPlan::OptionsOf(uint32_t round) const {
  sim::Rng dice = sim::Rng(seed_).Stream("options").Fork(round);
  EngineOptions options;
  for (const OptionChoices& option : engine_.options) {
    options[std::string(option.name)] = option.choices[dice.Below(option.choices.size())];
  }
  return options;
}

KillMoment StressPlan::KillOf(uint32_t round) const {
  sim::Rng dice = sim::Rng(seed_).Stream("kill").Fork(round);
  if (dice.Chance(1, 4)) return {.writes = 0, .delay = dice.Below(20'000)};
  return {.writes = dice.Between(1, 300), .delay = dice.Below(2'000)};
}

base::Ticks StressPlan::RestOf(const StressCall& call) const {
  if (call.task < kStressWriters) return 0;
  return sim::Rng(seed_).Stream("rest").Fork(call.round, call.task, call.index).Below(2'000);
}

Operation StressPlan::OperationOf(const StressCall& call) const {
  CHECK(call.index < kStressCallsMax);
  const sim::Rng dice = sim::Rng(seed_).Stream("calls").Fork(call.round, call.task, call.index);
  Operation operation = call.task < kStressWriters ? WriteOf(dice) : ReadOf(dice);
  operation.id = IdOf(call);
  operation.client = call.task + 1;
  return operation;
}

Operation StressPlan::WriteOf(sim::Rng dice) const {
  Operation operation;
  operation.durability = dice.Chance(1, 5) ? Durability::kSynced : Durability::kUnsynced;
  const uint64_t kind = dice.Below(1'000);
  if (kind < 2) {
    operation.kind = OpKind::kCompact;
  } else if (kind < 10) {
    operation.kind = OpKind::kFlush;
  } else if (kind < 50) {
    operation.kind = OpKind::kSync;
  } else if (kind < 200) {
    operation.kind = OpKind::kDelete;
    operation.key = DrawKey(dice);
  } else if (kind < 400) {
    operation.kind = OpKind::kBatch;
    for (uint64_t items = dice.Between(2, 5); items > 0; --items) {
      BatchItem& item = operation.batch.emplace_back();
      item.key = DrawKey(dice);
      if (dice.Chance(3, 4)) item.value_bytes = DrawBytes(dice);
    }
  } else {
    operation.kind = OpKind::kPut;
    operation.key = DrawKey(dice);
    operation.value_bytes = DrawBytes(dice);
  }
  return operation;
}

Operation StressPlan::ReadOf(sim::Rng dice) const {
  Operation operation;
  operation.key = DrawKey(dice);
  const uint64_t kind = dice.Below(100);
  if (kind < 50) {
    operation.kind = OpKind::kGet;
  } else if (kind < 65) {
    operation.kind = OpKind::kSnapshot;
  } else if (kind < 75) {
    operation.kind = OpKind::kLatest;
    operation.key = operation.key.substr(0, operation.key.size() - dice.Below(3));
    operation.limit = static_cast<uint32_t>(dice.Between(1, kStressPairsMax));
  } else {
    operation.kind = OpKind::kScan;
    operation.direction = dice.Chance(1, 2) ? Direction::kForward : Direction::kReverse;
    if (dice.Chance(1, 2)) operation.to = DrawKey(dice);
    operation.limit = static_cast<uint32_t>(dice.Between(1, kStressPairsMax));
  }
  return operation;
}

std::optional<ValueOrigin> StressPlan::OriginOf(std::string_view key,
                                                std::string_view value) const {
  std::string_view rest = value;
  const auto operation = NumberBefore(rest, '.');
  const auto item = operation.has_value() ? NumberBefore(rest, ':') : std::nullopt;
  if (!item.has_value() || *operation == 0) return std::nullopt;
  const ValueOrigin origin{*operation, *item};
  const std::vector<models::Mutation> mutations = MutationsOf(OperationOf(CallOf(*operation)));
  if (*item >= mutations.size()) return std::nullopt;
  const models::Mutation& written = mutations[*item];
  if (written.key != key || written.value != value) return std::nullopt;
  return origin;
}

std::string StressPlan::ValueFrom(const ValueOrigin& origin) const {
  return *MutationsOf(OperationOf(CallOf(origin.operation)))[origin.item].value;
}

}  // namespace kiban::suites
