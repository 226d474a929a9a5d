#include "sim/teller.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"
#include "sim/disk/profile.h"

namespace kiban::sim {

Told Teller::Now(Told::Kind kind) const {
  CHECK(listened_to());
  const bool is_event = kind == Told::Kind::kCall || kind == Told::Kind::kMark ||
                        kind == Told::Kind::kNote || kind == Told::Kind::kDeath;
  Told told;
  told.kind = kind;
  told.event = trace_.count() - (is_event && trace_.count() > 0 ? 1 : 0);
  told.boot = boot_;
  told.time = now_;
  told.owed_bytes = disk_.owed_bytes();
  if (!tasks_.has_current()) return told;
  const Task& task = tasks_.current();
  told.task = task.name;
  told.span = task.spans.innermost().name;
  told.depth = task.spans.depth();
  return told;
}

void Teller::Tell(Told::Kind kind, std::string_view text) {
  Told told = Now(kind);
  told.text = text;
  listener_(told);
}

std::vector<Teller::Owed> Teller::AllOwed() const {
  std::vector<Owed> all;
  for (const MicroOp& op : disk_.pending()) {
    all.push_back({.text = disk_.Describe(op), .op = op});
  }
  return all;
}

// A file goes only when no name of it is owed any more: its names were made safe before.
std::vector<std::string>& Teller::ListOf(const MicroOp& op, Told& told) const {
  if (!op.IsName() && !disk_.IsThere(op.inode)) return told.gone;
  const bool is_damaged = op.IsPage() && std::count(damaged_.begin(), damaged_.end(), op.page) > 0;
  return is_damaged ? told.damaged : told.safe;
}

void Teller::CallBegins() {
  owed_before_ = AllOwed();
  damaged_.clear();
}

void Teller::PagesDamaged(const std::vector<uint64_t>& pages) { damaged_ = pages; }

void Teller::CallEnds(std::string_view call, const CallText& text, const absl::Status& status) {
  Told told = Now(Told::Kind::kCall);
  told.call = call;
  told.occurrence = tasks_.current().spans.innermost().occurrence;
  told.nth_call = tasks_.current().spans.innermost().calls;
  told.path = text.path;
  told.text = text.detail;
  told.label = text.label;
  told.result = status.ok() ? "ok" : status.ToString();
  const std::vector<Owed> owed = AllOwed();
  const auto is_in = [](const Owed& one, const std::vector<Owed>& all) {
    return std::any_of(all.begin(), all.end(), [&](const Owed& o) { return o.text == one.text; });
  };
  for (const Owed& one : owed) {
    if (!is_in(one, owed_before_)) told.owes.push_back(one.text);
  }
  for (const Owed& one : owed_before_) {
    if (!is_in(one, owed)) ListOf(one.op, told).push_back(one.text);
  }
  listener_(told);
}

void Teller::TellCut(std::string_view text, const KeptSet& kept) {
  Told told = Now(Told::Kind::kCut);
  told.text = text;
  const std::vector<MicroOp>& pending = disk_.pending();
  for (size_t i = 0; i < kept.size(); ++i) {
    const bool is_torn = kept[i].torn_sectors != 0;
    told.fates.push_back({.text = disk_.Describe(pending[i]),
                          .fate = !kept[i].kept ? "lost"
                                  : is_torn     ? "torn"
                                                : "kept",
                          .rule = WhyGone(disk_.profile(), pending, kept, i)});
  }
  listener_(told);
}

}  // namespace kiban::sim
