// The stack of a child that dies by a signal, on its standard error, without allocating.
#pragma once

namespace kiban::suites {

// Handlers run on a stack of their own, so that an overflown fiber is shown as well, and let the
// signal kill the process afterwards. Under the address sanitizer its own reports are better and
// stay.
void ShowStackOfFatalSignals();

}  // namespace kiban::suites
