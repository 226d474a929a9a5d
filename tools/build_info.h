// What this program was built from, and how.
#pragma once

#include <string>

#include "suites/support/sweep_request.h"
#include "tools/command_line.h"

namespace kiban::tools {

std::string Revision();    // "ab12cd3", with "-dirty" behind it if the tree was.
std::string Build();       // "g++ 12.2.0 Release address,undefined".
std::string LogicPlant();  // The patch of suites/mutants in it; empty for none.

suites::Provenance ProvenanceOf(const Arguments& arguments);

}  // namespace kiban::tools
