// Kiban: deterministic simulation and crash testing of storage engines.
#include <vector>

#include "tools/commands.h"

int main(int argc, char** argv) {
  namespace tools = kiban::tools;
  const std::vector<tools::Command> commands = {
      tools::SweepCommand(),  tools::MergeCommand(),   tools::ReplayCommand(),
      tools::ShrinkCommand(), tools::CorpusCommand(),  tools::MutantsCommand(),
      tools::BenchCommand(),  tools::InspectCommand(), tools::SuitesCommand()};
  return tools::RunCommandLine(
      "Lives storage engines through crashes, from seeds, and says what was lost.", commands, argc,
      argv);
}
