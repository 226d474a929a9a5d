// Where a task is: the stack of its open spans, and how often each was entered since the boot.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/hooks.h"

namespace kiban::sim {

// How often each span was entered. A few dozen names: a walk is cheaper than a hash.
class SpanCounts {
 public:
  void Clear() { counts_.clear(); }
  uint32_t Next(uint64_t id) {
    for (auto& [span, count] : counts_) {
      if (span == id) return ++count;
    }
    counts_.emplace_back(id, 1);
    return 1;
  }

 private:
  std::vector<std::pair<uint64_t, uint32_t>> counts_;
};

class Spans {
 public:
  struct Frame {
    std::string_view name;  // Static storage; empty for the frame outside all spans.
    uint64_t id = 0;
    uint32_t occurrence = 1;      // In the process: by it a place is told.
    uint32_t own_occurrence = 1;  // In the task: by it luck is drawn, which others do not shift.
    uint32_t calls = 0;           // Of the seam, made directly in it.
    std::vector<std::pair<uint64_t, uint32_t>> files_made;  // By kind: see NextFile().
  };

  // `task`: its number in the process, by which places outside all spans are told apart.
  explicit Spans(uint32_t task) { stack_.push_back({.occurrence = task}); }

  void Enter(const base::Label& label, SpanCounts& in_process) {
    const uint32_t occurrence = in_process.Next(label.id);
    stack_.push_back({.name = label.name,
                      .id = label.id,
                      .occurrence = occurrence,
                      .own_occurrence = own_.Next(label.id)});
  }
  void Leave() { stack_.pop_back(); }
  // Luck is keyed by more than the spans of the task from here on.
  void ForgetOccurrences() { own_.Clear(); }

  Frame& innermost() { return stack_.back(); }
  const Frame& innermost() const { return stack_.back(); }
  size_t depth() const { return stack_.size() - 1; }

  // Counts the files of one kind that are made in the innermost span, from 1.
  uint32_t NextFile(uint64_t kind_hash) {
    for (auto& [kind, count] : innermost().files_made) {
      if (kind == kind_hash) return ++count;
    }
    innermost().files_made.emplace_back(kind_hash, 1);
    return 1;
  }

 private:
  std::vector<Frame> stack_;
  SpanCounts own_;
};

}  // namespace kiban::sim
