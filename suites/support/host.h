// What the runner asks of the host: time, memory, cores. Nothing that a life could see.
#pragma once

#include <cstdint>

namespace kiban::suites {

uint64_t MonotonicNanoseconds();
double MonotonicSeconds();
// User and system time of every child that has been waited for.
double CpuSecondsOfChildren();
uint64_t ResidentBytes();
unsigned CoreCount();

// Each worker takes two files of its parent's, and the usual limit is there for others' sake.
void RaiseFileLimit();
// The machine refuses what no sweep can do without: says so in one line, with the reason in errno,
// and ends the program with exit status 2.
[[noreturn]] void GiveUp(const char* what);

}  // namespace kiban::suites
