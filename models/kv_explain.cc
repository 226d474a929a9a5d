// What is wrong, in words. Nothing here decides whether something is wrong.
#include <algorithm>

#include "engine/base/check.h"
#include "models/kv_model.h"

namespace kiban::models {
namespace {

const std::string* Find(const Contents& contents, std::string_view key) {
  const auto found = contents.find(std::string(key));
  return found == contents.end() ? nullptr : &found->second;
}

bool Shows(const std::string* got, const std::optional<std::string>& value) {
  return (got != nullptr) == value.has_value() && (got == nullptr || *got == *value);
}

}  // namespace

Complaint KvModel::Explain(const Difference& difference, Sequence at, Moment moment,
                           const Contents* found) const {
  const Version* const expected = difference.expected;
  Origin origin;
  if (difference.got != nullptr) origin = OriginOf(difference.key, *difference.got, moment);
  const bool is_promised =
      moment == Moment::kRecovery && expected != nullptr && expected->sequence <= Floor();
  const auto torn = [&](CallId call) { return found != nullptr && IsTorn(call, at, *found); };

  std::string_view kind = kUnexpectedValue;
  if (origin.kind.has_value()) {
    kind = *origin.kind;
  } else if (is_promised) {
    kind = expected->sequence <= durable_ ? kDurableWriteLost : kAcknowledgedWriteLost;
  } else if ((expected != nullptr && torn(expected->call)) ||
             (origin.call.has_value() && torn(*origin.call))) {
    kind = kBatchTorn;
  } else if (difference.got == nullptr) {
    kind = kKeyMissing;
  } else if (expected == nullptr || !expected->value.has_value()) {
    kind = kUnexpectedKey;
  }

  std::string detail = "key " + Quote(difference.key) + ": expected " + Describe(expected);
  if (is_promised) detail += ", " + PromiseOf(*expected);
  detail += "; got ";
  detail += difference.got == nullptr ? "nothing" : Quote(*difference.got) + origin.words;
  detail += moment == Moment::kRecovery ? "; recovered at sequence " : "; read at sequence ";
  detail += std::to_string(at);
  return {std::string(kind), std::move(detail)};
}

// A recovery ended before what it had to keep: the first write that is gone.
Complaint KvModel::ExplainLoss(Sequence at) const {
  const Version* lost = nullptr;
  std::string_view lost_key;
  for (const auto& [key, versions] : history_.versions()) {
    for (const Version& version : versions) {
      if (version.sequence <= at || (lost != nullptr && lost->sequence < version.sequence)) {
        continue;
      }
      lost = &version;
      lost_key = key;
    }
  }
  CHECK(lost != nullptr);
  const bool is_durable = lost->sequence <= durable_;
  return {std::string(is_durable ? kDurableWriteLost : kAcknowledgedWriteLost),
          "key " + Quote(lost_key) + ": " + Describe(lost) + ", " + PromiseOf(*lost) +
              "; recovered at sequence " + std::to_string(at)};
}

// A recovery ended before a write that was never answered but had been read.
Complaint KvModel::ExplainUnseen(Sequence at) const {
  return {std::string(kReadWriteLost), "a read had shown the state at sequence " +
                                           std::to_string(seen_) + "; recovered at sequence " +
                                           std::to_string(at) + " after a kill"};
}

// Without a witness: no state from the floor on is what was found.
Complaint KvModel::ExplainNoBoundary(const Contents& found) const {
  const Sequence floor = Floor();
  if (const auto difference = FirstInexplicable(found)) {
    return Explain(*difference, floor, Moment::kRecovery, &found);
  }
  const auto oldest = history_.FirstDifference(floor, found);
  const auto newest = history_.FirstDifference(last_, found);
  CHECK(oldest.has_value());
  CHECK(newest.has_value());
  std::string_view kind = kStateAtNoSequence;
  for (CallId id = 0; id < calls_.size(); ++id) {
    const bool is_open = calls_[id].fate == Fate::kMaybe || calls_[id].first > floor;
    if (is_open && IsTorn(id, std::max(floor, calls_[id].first), found)) kind = kBatchTorn;
  }
  const auto tell = [](const Difference& difference) {
    return "key " + Quote(difference.key) + " is " +
           (difference.got == nullptr ? "missing" : Quote(*difference.got));
  };
  return {std::string(kind), "no prefix of the calls from sequence " + std::to_string(floor) +
                                 " to " + std::to_string(last_) +
                                 " explains what was found: at the oldest, " + tell(*oldest) +
                                 "; at the newest, " + tell(*newest)};
}

// The first key whose value no state from the floor on has, against the floor.
std::optional<Difference> KvModel::FirstInexplicable(const Contents& found) const {
  const Sequence floor = Floor();
  const auto explains = [&](std::string_view key, const std::string* got) {
    const Version* const oldest = history_.At(key, floor);
    if (Shows(got, oldest == nullptr ? std::nullopt : oldest->value)) return true;
    const auto versions = history_.versions().find(key);
    if (versions != history_.versions().end()) {
      for (const Version& version : versions->second) {
        if (version.sequence > floor && Shows(got, version.value)) return true;
      }
    }
    for (const CallId id : maybes_) {
      for (const Mutation& mutation : calls_[id].mutations) {
        if (mutation.key == key && Shows(got, mutation.value)) return true;
      }
    }
    return false;
  };
  for (const auto& [key, versions] : history_.versions()) {
    const std::string* const got = Find(found, key);
    if (!explains(key, got)) return Difference{key, history_.At(key, floor), got};
  }
  for (const auto& [key, value] : found) {
    if (!explains(key, &value)) return Difference{key, history_.At(key, floor), &value};
  }
  return std::nullopt;
}

KvModel::Origin KvModel::OriginOf(std::string_view key, const std::string& value,
                                  Moment moment) const {
  const auto search = [&](const KvHistory::Versions& all) -> const Version* {
    const auto versions = all.find(key);
    if (versions == all.end()) return nullptr;
    const auto version = std::find_if(versions->second.rbegin(), versions->second.rend(),
                                      [&](const Version& v) { return v.value == value; });
    return version == versions->second.rend() ? nullptr : &*version;
  };
  const auto wrote = [&](const Version& version) {
    return ", which " + calls_[version.call].name + " wrote at sequence " +
           std::to_string(version.sequence);
  };
  if (const Version* const version = search(history_.versions())) {
    return {wrote(*version), version->call, std::nullopt};
  }
  for (CallId id = 0; id < calls_.size(); ++id) {
    const Call& call = calls_[id];
    if (call.fate == Fate::kIn) continue;
    const bool writes_it =
        std::any_of(call.mutations.begin(), call.mutations.end(),
                    [&](const Mutation& m) { return m.key == key && m.value == value; });
    if (!writes_it) continue;
    if (call.fate == Fate::kOut) {
      return {", which " + call.name + " wrote, a call that had failed or was refused for good", id,
              kFailedWriteVisible};
    }
    const bool is_reading = moment == Moment::kReading && call.fate == Fate::kMaybe;
    return {", which " + call.name + " wrote, a call without an answer", id,
            is_reading ? std::optional(kFailedWriteVisible) : std::nullopt};
  }
  if (const Version* const version = search(lost_)) {
    return {wrote(*version) + " and a crash had taken", std::nullopt, kLostWriteCameBack};
  }
  return {", which nobody wrote", std::nullopt, std::nullopt};
}

// Whether, of a batch that is to be whole, some keys are as it left them and some as they were
// before. Keys that a newer write up to `at` has replaced do not count.
bool KvModel::IsTorn(CallId id, Sequence at, const Contents& found) const {
  if (!options_.batches_whole) return false;
  const Call& call = calls_[id];
  const bool is_in = call.fate == Fate::kIn;
  if (is_in) at = std::max(at, call.first + call.mutation_count - 1);
  std::map<std::string_view, const std::optional<std::string>*>
      writes;  // The last one to each key.
  for (const Mutation& mutation : call.mutations) writes[mutation.key] = &mutation.value;

  bool is_shown = false;
  bool is_hidden = false;
  for (const auto& [key, value] : writes) {
    const Version* const newest = history_.At(key, at);
    if (is_in && (newest == nullptr || newest->call != id)) continue;
    const std::optional<std::string>& written = is_in ? newest->value : *value;
    const Version* const older = history_.At(key, is_in ? call.first - 1 : at);
    const std::optional<std::string> before = older == nullptr ? std::nullopt : older->value;
    if (written == before) continue;  // Cannot be seen.
    const std::string* const got = Find(found, key);
    is_shown = is_shown || Shows(got, written);
    is_hidden = is_hidden || Shows(got, before);
  }
  return is_shown && is_hidden;
}

std::string KvModel::Describe(const Version* version) const {
  if (version == nullptr) return "nothing, for nobody had written it";
  const std::string by =
      calls_[version->call].name + " at sequence " + std::to_string(version->sequence);
  if (!version->value.has_value()) return "nothing, deleted by " + by;
  return Quote(*version->value) + ", written by " + by;
}

std::string KvModel::PromiseOf(const Version& version) const {
  if (version.sequence <= settled_) return "durable since an earlier recovery";
  if (calls_[version.call].synced) return "acknowledged as synced";
  if (version.sequence <= durable_) return "made durable by a later sync or flush";
  return "acknowledged, and a kill takes nothing";
}

}  // namespace kiban::models
