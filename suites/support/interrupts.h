// SIGINT and SIGTERM as a wish to end: whoever works asks, and comes to an end with what there is.
#pragma once

namespace kiban::suites {

// While one lives, the first of either signal is remembered and the second ends the process at
// once. Workers ignore both: their parent tells them. A signal that was ignored before stays so.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // The signal that came; 0 for none.
  int received() const;
};

// In a child whose parent decides when it ends.
void IgnoreInterrupts();

}  // namespace kiban::suites
