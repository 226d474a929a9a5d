// Another program, run to its end.
#pragma once

#include <string>
#include <vector>

namespace kiban::tools {

// Runs `words` in `directory` with both outputs appended to `log`. Its exit status; 127 if it could
// not be started or died by a signal.
int RunProgram(const std::vector<std::string>& words, const std::string& directory,
               const std::string& log);

}  // namespace kiban::tools
