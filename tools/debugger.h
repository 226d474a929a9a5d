// The debugger that this process runs under, if it does.
#pragma once

#include <cstdint>
#include <functional>

namespace kiban::tools {

bool DebuggerIsAttached();

// For LifeOptions::before_event: stops once, on the stack of whoever calls, before the first event
// whose number is not smaller; then `came` is true.
std::function<void(uint64_t number)> TrapBefore(uint64_t event, bool& came);

}  // namespace kiban::tools
