#include "sim/faults/striker.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "sim/faults/fault_text.h"

namespace kiban::sim {

Striker::Striker(FaultPlan plan) : plan_(std::move(plan)) {
  for (const Plant plant : plan_.plants) plants_ |= 1u << static_cast<unsigned>(plant);
}

void Striker::Boot(uint32_t boot) {
  boot_ = boot;
  recovering_ = boot > 1;
  spans_since_.clear();
}

void Striker::RecoveryDone() {
  recovering_ = false;
  spans_since_.clear();
  while (next_cut_ < plan_.cuts.size() && plan_.cuts[next_cut_].in_recovery) {
    const Cut& cut = plan_.cuts[next_cut_];
    if (const auto* anchor = std::get_if<Anchor>(&cut.place)) {
      Misfit(absl::StrCat("recovery ended before ", FormatAnchor(*anchor)));
    }
    plan_.cuts.erase(plan_.cuts.begin() + static_cast<std::ptrdiff_t>(next_cut_));
  }
}

bool Striker::Here(const Anchor& anchor, const Spans& spans) const {
  const Spans::Frame& frame = spans.innermost();
  return anchor.boot == boot_ && anchor.call == frame.calls &&
         anchor.occurrence == frame.occurrence && anchor.span == frame.name;
}

// Whether `cut` strikes here; turns a drawn place that does into an anchor.
bool Striker::Matches(Cut& cut, const Spans& spans) {
  if (const auto* anchor = std::get_if<Anchor>(&cut.place)) return Here(*anchor, spans);
  auto* const drawn = std::get_if<DrawnPlace>(&cut.place);
  if (drawn == nullptr) return false;
  const Spans::Frame& frame = spans.innermost();
  const bool in_span = drawn->span == frame.name;
  const bool impatient = drawn->patience_calls == 0;
  if (!impatient) --drawn->patience_calls;
  if (in_span && drawn->skip_calls > 0) {
    --drawn->skip_calls;
    if (!impatient) return false;
  } else if (!in_span && !impatient) {
    return false;
  }
  cut.place = Anchor{.boot = boot_,
                     .span = std::string(frame.name),
                     .occurrence = frame.occurrence,
                     .call = frame.calls};
  return true;
}

Cut* Striker::CutAtCall(const Spans& spans) {
  if (disarmed_ || next_cut_ == plan_.cuts.size()) return nullptr;
  spans_since_.push_back(spans.innermost().id);
  Cut& cut = plan_.cuts[next_cut_];
  if (cut.in_recovery != recovering_ && std::holds_alternative<DrawnPlace>(cut.place))
    return nullptr;
  if (!cut.in_recovery && begun_ < cut.armed_at_operation) return nullptr;
  if (!Matches(cut, spans)) return nullptr;
  cut.armed_at_operation = begun_;
  cut.calls_since = CallsSince(spans.innermost().id);
  ++next_cut_;
  return &cut;
}

// But for the present one.
uint32_t Striker::CallsSince(uint64_t span) const {
  const auto calls = std::count(spans_since_.begin(), spans_since_.end(), span);
  return static_cast<uint32_t>(calls) - 1;
}

Cut* Striker::CutAfterOperation(uint32_t operation) {
  if (next_cut_ == plan_.cuts.size()) return nullptr;
  const Cut& cut = plan_.cuts[next_cut_];
  const auto* const here = std::get_if<AfterOperation>(&cut.place);
  const bool is_here = here != nullptr && here->operation == operation;
  const bool is_too_late = std::holds_alternative<DrawnPlace>(cut.place) &&
                           cut.latest_operation != 0 && begun_ >= cut.latest_operation;
  return is_here || is_too_late ? StrikeAtRest(AfterOperation{operation}) : nullptr;
}

Cut* Striker::CutAtEnd() {
  if (next_cut_ == plan_.cuts.size()) return nullptr;
  const Place& place = plan_.cuts[next_cut_].place;
  const bool is_here =
      std::holds_alternative<AtEnd>(place) || std::holds_alternative<DrawnPlace>(place);
  return is_here ? StrikeAtRest(AtEnd{}) : nullptr;
}

Cut* Striker::StrikeAtRest(Place place) {
  Cut& cut = plan_.cuts[next_cut_++];
  cut.place = std::move(place);
  cut.phase = Phase::kAfter;
  return &cut;
}

SyncError* Striker::ErrorAtSync(const Spans& spans) {
  if (disarmed_ || next_error_ == plan_.sync_errors.size()) return nullptr;
  SyncError& error = plan_.sync_errors[next_error_];
  const uint32_t syncs_before = syncs_since_++;
  if (error.anchor.has_value()) {
    if (!Here(*error.anchor, spans)) return nullptr;
  } else {
    if (begun_ < error.armed_at_operation) return nullptr;
    if (error.skip_syncs > 0) {
      --error.skip_syncs;
      return nullptr;
    }
    const Spans::Frame& frame = spans.innermost();
    error.anchor = Anchor{.boot = boot_,
                          .span = std::string(frame.name),
                          .occurrence = frame.occurrence,
                          .call = frame.calls};
  }
  error.armed_at_operation = begun_;
  error.syncs_since = syncs_before;
  ++next_error_;
  ++sync_errors_fired_;
  return &error;
}

void Striker::Misfit(std::string what) {
  if (misfits_++ == 0) first_misfit_ = std::move(what);
}

FaultPlan Striker::Resolved() const {
  FaultPlan resolved = plan_;
  resolved.cuts.resize(next_cut_);
  resolved.sync_errors.resize(next_error_);
  return resolved;
}

void Striker::CountUnstruck() {
  for (size_t i = next_cut_; i < plan_.cuts.size(); ++i) {
    const Cut& cut = plan_.cuts[i];
    if (std::holds_alternative<DrawnPlace>(cut.place)) continue;
    Misfit(absl::StrCat("the life never came to ", FormatPlace(cut)));
  }
  for (size_t i = next_error_; i < plan_.sync_errors.size(); ++i) {
    if (const auto& anchor = plan_.sync_errors[i].anchor) {
      Misfit(absl::StrCat("the life never came to the sync at ", FormatAnchor(*anchor)));
    }
  }
}

}  // namespace kiban::sim
