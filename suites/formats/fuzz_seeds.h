// What a fuzzer begins with. No file of inputs is kept: each harness makes its own, which are then
// always of today's formats, and the mutator puts one in the place of an input now and then.
#pragma once

#include <string>
#include <vector>

namespace kiban::suites {

// Defined by each harness; asked once.
std::vector<std::string> MakeFuzzSeeds();

}  // namespace kiban::suites
