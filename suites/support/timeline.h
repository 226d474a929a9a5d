// A life as a person reads it, on one screen: one line a step of a task, with its calls that
// changed something or failed; what syncs made safe; and at a cut what was owed, kept and lost, and
// by which rule. Of what is too long the oldest steps are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/told.h"
#include "suites/support/owed_text.h"

namespace kiban::suites {

class Timeline {
 public:
  // A screen of 60 lines has room for a verdict as well, and for the stack of a crash.
  static constexpr size_t kLinesMax = 44;

  void Add(const sim::Told& told);
  // The life has ended, in whatever way: its lines. To be called once.
  std::vector<std::string> Finish();

 private:
  // What is being gathered for one line.
  struct Row {
    sim::Told first;
    std::vector<std::string> items;
    std::string path;  // That the last item was about.
    uint64_t owed_bytes = 0;
  };
  struct Line {
    std::string text;
    uint64_t event;
    bool is_step;
  };

  // Begins another row, unless `told` goes on with the same step.
  void Continue(const sim::Told& told);
  void Flush();
  void AddCall(const sim::Told& call);
  void AddMark(const sim::Told& mark);
  void AddNote(const sim::Told& note);
  void AddDeath(const sim::Told& death);
  void AddCut(const sim::Told& cut);
  std::string SyncText(const sim::Told& call) const;
  std::string PathOnce(const sim::Told& call);
  // As many lines as it takes, those behind the first indented. Steps are what may be left out.
  void Append(const std::string& text, uint64_t event, size_t indent, bool is_step);
  void Shorten();

  OwedText owed_;
  Row row_;
  std::vector<Line> lines_;
};

}  // namespace kiban::suites
