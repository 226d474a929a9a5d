// The subcommands of `kiban`, one thin file each (cmd_*.cc).
#pragma once

#include "tools/command_line.h"

namespace kiban::tools {

Command SweepCommand();
Command MergeCommand();
Command ReplayCommand();
Command ShrinkCommand();
Command CorpusCommand();
Command MutantsCommand();
Command BenchCommand();
Command InspectCommand();
Command SuitesCommand();

}  // namespace kiban::tools
