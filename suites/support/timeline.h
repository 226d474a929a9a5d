// A life as a person reads it: what mattered, in as few lines as it takes. One line a step of a
// task, with its calls that changed something or failed; what syncs made safe; and at a cut what
// was owed, kept and lost, and by which rule.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/told.h"
#include "suites/support/owed_text.h"

namespace kiban::suites {

class Timeline {
 public:
  using Print = std::function<void(std::string_view line)>;

  explicit Timeline(Print print);

  void Add(const sim::Told& told);
  // The life has ended, in whatever way.
  void End() { Flush(); }

 private:
  // What is being gathered for one line.
  struct Row {
    sim::Told first;
    std::vector<std::string> items;
    std::string path;  // That the last item was about.
    std::string list;  // The last list that was shown.
    uint64_t owed_bytes = 0;
  };

  // Begins another row, unless `told` goes on with the same step.
  void Continue(const sim::Told& told);
  void Flush();
  void AddCall(const sim::Told& call);
  void AddSync(const sim::Told& call);
  void AddNote(const sim::Told& note);
  void AddCut(const sim::Told& cut);
  void AddSafe(const sim::Told& call, std::string_view lead);
  std::string PathOnce(const sim::Told& call);
  void PrintWrapped(const std::string& head, const std::vector<std::string>& items) const;

  const Print print_;
  OwedText owed_;
  Row row_;
};

}  // namespace kiban::suites
