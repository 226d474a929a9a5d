// MARK("wal.switched") says that a rare place was reached; SPAN("flush.F2") says which phase the
// task is in until the end of the scope. Both cost one branch in production. In a simulation they
// label crash points and timelines and give coverage. Their names are listed in
// engine/lsm/README.md.
#pragma once

#include "engine/base/hooks.h"

namespace kiban::base {

inline void Mark(const Label& label) {
  if (Hooks* const hooks = g_hooks) [[unlikely]]
    hooks->OnMark(label);
}

class Span {
 public:
  explicit Span(const Label& label) : label_(label) {
    if (Hooks* const hooks = g_hooks) [[unlikely]]
      hooks->OnSpanEnter(label_);
  }
  ~Span() {
    if (Hooks* const hooks = g_hooks) [[unlikely]]
      hooks->OnSpanLeave(label_);
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  const Label& label_;
};

}  // namespace kiban::base

#define KIBAN_CONCAT_(a, b) a##b
#define KIBAN_CONCAT(a, b) KIBAN_CONCAT_(a, b)

#define MARK(text)                                                \
  do {                                                            \
    static constexpr ::kiban::base::Label kiban_mark_label(text); \
    ::kiban::base::Mark(kiban_mark_label);                        \
  } while (false)

#define SPAN(text)                                                                       \
  static constexpr ::kiban::base::Label KIBAN_CONCAT(kiban_span_label_, __LINE__)(text); \
  const ::kiban::base::Span KIBAN_CONCAT(kiban_span_,                                    \
                                         __LINE__)(KIBAN_CONCAT(kiban_span_label_, __LINE__))
