// Where the running process is: the stack of open spans, and how often each was entered since the
// boot.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/hooks.h"

namespace kiban::sim {

class Spans {
 public:
  struct Frame {
    std::string_view name;  // Static storage; empty for the frame outside all spans.
    uint64_t id = 0;
    uint32_t occurrence = 1;
    uint32_t calls = 0;                                     // Of the seam, made directly in it.
    std::vector<std::pair<uint64_t, uint32_t>> files_made;  // By kind: see NextFile().
  };

  Spans() { Boot(); }

  // A new process: nothing is open, nothing has occurred.
  void Boot() {
    stack_.assign(1, Frame{});
    occurrences_.clear();
  }

  void Enter(const base::Label& label) {
    stack_.push_back({.name = label.name, .id = label.id, .occurrence = ++Occurrences(label.id)});
  }
  void Leave() { stack_.pop_back(); }

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
  // A few dozen names: a walk is cheaper than a hash.
  uint32_t& Occurrences(uint64_t id) {
    for (auto& [span, count] : occurrences_) {
      if (span == id) return count;
    }
    return occurrences_.emplace_back(id, 0).second;
  }

  std::vector<Frame> stack_;
  std::vector<std::pair<uint64_t, uint32_t>> occurrences_;
};

}  // namespace kiban::sim
