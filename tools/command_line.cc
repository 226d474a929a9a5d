#include "tools/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <exception>

namespace kiban::tools {
namespace {

// "  sweep     Live many seeds\n"
void AppendEntry(std::string& text, std::string_view name, size_t width, std::string_view help) {
  text += "  " + std::string(name) + std::string(width - name.size() + 2, ' ') + std::string(help) +
          "\n";
}

std::string FlagText(const Flag& flag) {
  return std::string(flag.name) + (flag.value.empty() ? "" : " " + std::string(flag.value));
}

std::string PartsHelp(std::string_view summary, const std::string& path,
                      std::span<const Command> parts) {
  size_t width = 0;
  for (const Command& part : parts) width = std::max(width, part.name.size());
  std::string text;
  for (const Command& part : parts) {
    if (!part.examples.empty()) text += "  kiban " + std::string(part.examples[0]) + "\n";
  }
  if (!text.empty()) text = "Examples:\n" + text + "\n";
  text += std::string(summary) + "\n\n" + path + " COMMAND [FLAGS], where COMMAND is one of\n";
  for (const Command& part : parts) AppendEntry(text, part.name, width, part.summary);
  return text + "\n" + path + " COMMAND --help tells more of each.\n";
}

std::string CommandHelp(const std::string& path, const Command& command) {
  std::string text = command.examples.empty() ? "" : "Examples:\n";
  for (const std::string_view example : command.examples) {
    text += "  kiban " + std::string(example) + "\n";
  }
  text += (text.empty() ? "" : "\n") + std::string(command.summary) + "\n";
  if (!command.details.empty()) text += std::string(command.details) + "\n";
  text += "\n" + path;
  if (!command.operands.name.empty()) text += " " + std::string(command.operands.name);
  text += command.flags.empty() ? "\n" : " [FLAGS]\n";
  size_t width = 0;
  for (const Flag& flag : command.flags) width = std::max(width, FlagText(flag).size());
  for (const Flag& flag : command.flags) AppendEntry(text, FlagText(flag), width, flag.help);
  return text;
}

}  // namespace

// Builds the parser from the table; each command keeps what was parsed for it.
class CommandLine {
 public:
  CommandLine(std::string_view summary, std::span<const Command> commands) : summary_(summary) {
    AddParts(app_, "kiban", commands);
    help_[&app_] = PartsHelp(summary_, "kiban", commands);
  }

  int Run(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      std::fputs(help_.at(Deepest()).c_str(), stdout);
      return kExitHeld;
    } catch (const CLI::ParseError& error) {
      return BadUsage(std::string(error.what()) + "; `" + PathOf(Deepest()) +
                      " --help` tells what there is");
    }
    Parsed& parsed = parsed_of_.at(Deepest());
    Arguments arguments;
    arguments.program_ = argv[0];
    arguments.words_.assign(argv + 1, argv + argc);
    arguments.operands_ = parsed.operands;
    for (const auto& [name, option] : parsed.options) {
      const auto is_on = parsed.switches.find(name);  // --fail-fast=false is off.
      if (is_on != parsed.switches.end() ? is_on->second : option->count() > 0) {
        arguments.values_[name] = parsed.values.at(name);
      }
    }
    return parsed.command->run(arguments);
  }

 private:
  struct Parsed {
    const Command* command = nullptr;
    std::map<std::string, CLI::Option*> options;
    std::map<std::string, std::string> values;
    std::map<std::string, bool> switches;
    std::vector<std::string> operands;
  };

  void AddParts(CLI::App& parent, const std::string& path, std::span<const Command> commands) {
    parent.require_subcommand(1);
    for (const Command& command : commands) {
      CLI::App& app = *parent.add_subcommand(std::string(command.name));
      const std::string own_path = path + " " + std::string(command.name);
      if (command.parts.empty()) {
        AddCommand(app, command);
        help_[&app] = CommandHelp(own_path, command);
      } else {
        AddParts(app, own_path, command.parts);
        help_[&app] = PartsHelp(command.summary, own_path, command.parts);
      }
    }
  }

  void AddCommand(CLI::App& app, const Command& command) {
    Parsed& parsed = parsed_.emplace_back();
    parsed.command = &command;
    parsed_of_.insert({&app, parsed});
    for (const Flag& flag : command.flags) {
      const std::string name(flag.name);
      std::string& value = parsed.values[name];
      CLI::Option* const option = flag.value.empty() ? app.add_flag(name, parsed.switches[name])
                                                     : app.add_option(name, value);
      parsed.options[name] = option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
    const Operands& operands = command.operands;
    if (operands.name.empty()) return;
    app.add_option("operands", parsed.operands, std::string(operands.name))
        ->required(operands.required)
        ->expected(operands.required ? 1 : 0, operands.many ? 1 << 20 : 1);
  }

  // The command that the parser came to.
  const CLI::App* Deepest() const {
    const CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return app;
  }

  static std::string PathOf(const CLI::App* app) {
    if (app->get_parent() == nullptr) return "kiban";
    return PathOf(app->get_parent()) + " " + app->get_name();
  }

  std::string_view summary_;
  CLI::App app_;
  std::deque<Parsed> parsed_;
  std::map<const CLI::App*, Parsed&> parsed_of_;
  std::map<const CLI::App*, std::string> help_;
};

std::optional<std::string> Arguments::Value(std::string_view flag) const {
  const auto it = values_.find(std::string(flag));
  if (it == values_.end()) return std::nullopt;
  return it->second;
}

std::string Arguments::ValueOr(std::string_view flag, std::string_view otherwise) const {
  return Value(flag).value_or(std::string(otherwise));
}

int RunCommandLine(std::string_view summary, std::span<const Command> commands, int argc,
                   const char* const* argv) {
  const int exit_status = CommandLine(summary, commands).Run(argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_status;
  return BadUsage("what was to be printed could not be written to standard output");
}

int BadUsage(std::string_view message) {
  std::fprintf(stderr, "kiban: %.*s\n", static_cast<int>(message.size()), message.data());
  return kExitBadUsage;
}

}  // namespace kiban::tools
