// What the runner asks of the host: time, memory, cores. Nothing that a life could see.
#pragma once

#include <cstdint>

namespace kiban::suites {

double MonotonicSeconds();
// User and system time of every child that has been waited for.
double CpuSecondsOfChildren();
uint64_t ResidentBytes();
unsigned CoreCount();

}  // namespace kiban::suites
