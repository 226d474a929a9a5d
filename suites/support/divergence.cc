#include "suites/support/divergence.h"

#include <cxxabi.h>
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

constexpr int kMoreRuns = 4;
constexpr size_t kNeighboursBefore = 3;
constexpr size_t kNeighboursBehind = 2;
constexpr int kFramesMax = 20;
constexpr int kFramesOfOurs = 2;  // On top of each stack: the recorder itself.

struct Stack {
  std::array<void*, kFramesMax> frames;
  int count = 0;
};

// A run with all its events, and what the timeline said of each; of some it says nothing.
struct Recording {
  std::vector<sim::Event> events;
  std::vector<std::string> lines;
  std::vector<Stack> stacks;

  void Note(const sim::Told& told) {
    const std::string text = sim::EventLine(told);
    if (events.empty() || text.empty()) return;
    lines.resize(events.size());
    stacks.resize(events.size());
    if (lines.back().empty())
      stacks.back().count = backtrace(stacks.back().frames.data(), kFramesMax);
    absl::StrAppend(&lines.back(), lines.back().empty() ? "" : "; ", text);
  }
};

Recording Record(const Plan& plan, LiveFunction live) {
  Recording recording;
  LifeOptions options;
  options.recording = sim::Trace::Recording::kAndKeep;
  options.kept_events = &recording.events;
  options.on_event = [&recording](const sim::Told& told) { recording.Note(told); };
  live(plan, options);
  recording.lines.resize(recording.events.size());
  recording.stacks.resize(recording.events.size());
  return recording;
}

std::string Fields(const sim::Event& event) {
  return absl::StrFormat("kind %d time %d subject %x first %x second %x result %d", event.kind,
                         event.time, event.subject, event.first, event.second, event.result);
}

void AppendEvent(std::string& text, std::string_view whose, const Recording& run, size_t index) {
  absl::StrAppendFormat(&text, "\n  %-7s%7d  ", base::ToAbsl(whose), index);
  if (index >= run.events.size()) {
    text += "(there is none: this run has ended)";
    return;
  }
  const std::string& line = run.lines[index];
  absl::StrAppend(&text, line.empty() ? Fields(run.events[index]) : line);
}

// "kiban::wal::Writer::Sync()", or where it is, for addr2line.
std::string FrameText(const std::string& symbol) {
  const size_t begin = symbol.find('(');
  const size_t plus = symbol.find('+', begin);
  if (begin == symbol.npos || plus == symbol.npos) return symbol;
  const std::string mangled = symbol.substr(begin + 1, plus - begin - 1);
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  if (name != nullptr) return name.get();
  return symbol.substr(0, symbol.find(')') + 1);
}

std::string StackText(const Recording& run, size_t index) {
  std::string text;
  if (index >= run.stacks.size()) return text;
  const Stack& stack = run.stacks[index];
  const std::unique_ptr<char*, void (*)(void*)> symbols(
      backtrace_symbols(stack.frames.data(), stack.count), std::free);
  if (symbols == nullptr) return text;
  for (int i = kFramesOfOurs; i < stack.count; ++i) {
    absl::StrAppend(&text, "\n    ", FrameText(symbols.get()[i]));
  }
  return text;
}

void AppendStacks(std::string& text, const Recording& first, const Recording& second,
                  size_t index) {
  const std::string ours = StackText(first, index);
  const std::string theirs = StackText(second, index);
  if (ours == theirs) {
    if (!ours.empty()) absl::StrAppend(&text, "\n  stack of both:", ours);
    return;
  }
  if (!ours.empty()) absl::StrAppend(&text, "\n  stack of the first:", ours);
  if (!theirs.empty()) absl::StrAppend(&text, "\n  stack of the second:", theirs);
}

std::string DifferenceText(const Recording& first, const Recording& second, size_t index) {
  std::string text =
      absl::StrCat("event ", index, " is the first that differs in two more runs, of ",
                   first.events.size(), " and ", second.events.size(), " events");
  const size_t from = index - std::min(index, kNeighboursBefore);
  for (size_t i = from; i < index; ++i) AppendEvent(text, "both", first, i);
  for (size_t i = index; i <= index + kNeighboursBehind; ++i) AppendEvent(text, "first", first, i);
  for (size_t i = index; i <= index + kNeighboursBehind; ++i) {
    AppendEvent(text, "second", second, i);
  }
  const bool in_both = index < first.events.size() && index < second.events.size();
  if (in_both && first.lines[index] == second.lines[index] && !first.lines[index].empty()) {
    absl::StrAppend(&text, "\n  first in numbers:  ", Fields(first.events[index]),
                    "\n  second in numbers: ", Fields(second.events[index]));
  }
  AppendStacks(text, first, second, index);
  return text;
}

// Between which events, as far as the digests of blocks tell.
std::string BlockText(const LifeReport& first, const LifeReport& second) {
  const auto ours = std::mismatch(first.digest_blocks.begin(), first.digest_blocks.end(),
                                  second.digest_blocks.begin(), second.digest_blocks.end())
                        .first;
  const auto block = static_cast<uint64_t>(ours - first.digest_blocks.begin());
  const uint64_t from = block * sim::Trace::kEventsPerBlock;
  return absl::StrCat("it did not differ again in ", kMoreRuns + 1,
                      " more runs; the first two parted between event ", from, " and event ",
                      from + sim::Trace::kEventsPerBlock);
}

}  // namespace

std::string FirstDifference(const Plan& plan, LiveFunction live) {
  const Recording one = Record(plan, live);
  for (int i = 0; i < kMoreRuns; ++i) {
    const Recording other = Record(plan, live);
    if (one.events == other.events) continue;
    const auto differs = std::mismatch(one.events.begin(), one.events.end(), other.events.begin(),
                                       other.events.end())
                             .first;
    return DifferenceText(one, other, static_cast<size_t>(differs - one.events.begin()));
  }
  return {};
}

std::string DescribeDivergence(const Plan& plan, LiveFunction live, const LifeReport& first,
                               const LifeReport& second) {
  const std::string found = FirstDifference(plan, live);
  return absl::StrCat("digests ", first.digest.Text(), " and ", second.digest.Text(), "; ",
                      found.empty() ? BlockText(first, second) : found);
}

}  // namespace kiban::suites
