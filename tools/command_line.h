// The command line as a table of commands. command_line.cc is the only file that knows the parser,
// which costs too much compile time to be included twice.
//
// Of a repeated flag the last one counts, so that a script's defaults give way to what a person
// adds.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiban::tools {

inline constexpr int kExitHeld = 0;           // All as expected.
inline constexpr int kExitFailed = 1;         // At least one run was not.
inline constexpr int kExitBadUsage = 2;       // Or unreadable input, or a broken run.
inline constexpr int kExitDoesNotFit = 125;   // What `git bisect run` skips.
inline constexpr int kExitAfterSignal = 128;  // And the signal's number.

// What a command was called with.
class Arguments {
 public:
  bool Has(std::string_view flag) const { return values_.count(std::string(flag)) > 0; }
  std::optional<std::string> Value(std::string_view flag) const;
  std::string ValueOr(std::string_view flag, std::string_view otherwise) const;
  const std::vector<std::string>& operands() const { return operands_; }
  const std::string& program() const { return program_; }           // As it was called.
  const std::vector<std::string>& words() const { return words_; }  // All behind the program.

 private:
  friend class CommandLine;
  std::map<std::string, std::string> values_;
  std::vector<std::string> operands_;
  std::string program_;
  std::vector<std::string> words_;
};

struct Flag {
  std::string_view name;   // "--jobs".
  std::string_view value;  // "N"; empty: a switch.
  std::string_view help;
};

struct Operands {
  std::string_view name;  // "CASE..."; empty: the command takes none.
  bool required = false;
  bool many = false;
};

struct Command {
  std::string_view name;
  std::string_view summary;                // One line.
  std::string_view details;                // More of it, for its own help.
  std::vector<std::string_view> examples;  // Without the program's name.
  Operands operands;
  std::vector<Flag> flags;
  int (*run)(const Arguments&) = nullptr;
  std::vector<Command> parts;  // `kiban corpus check`: the command is then nothing but its parts.
};

// Runs the command that was asked for and returns the exit status: 0 after help, 2 after bad usage
// or if standard output does not take what was printed.
int RunCommandLine(std::string_view summary, std::span<const Command> commands, int argc,
                   const char* const* argv);

// Says in one line what is wrong with the call, where, and what to do; returns kExitBadUsage.
int BadUsage(std::string_view message);

}  // namespace kiban::tools
