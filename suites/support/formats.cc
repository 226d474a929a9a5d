#include "suites/support/formats.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

// Empty if the engine has one format only.
std::vector<uint64_t> ChoicesOf(const Engine& engine) {
  if (engine.formats.empty()) return {};
  const auto is_it = [&](const OptionChoices& option) {
    return option.name == engine.format_option;
  };
  const auto option = std::find_if(engine.options.begin(), engine.options.end(), is_it);
  CHECK(option != engine.options.end());
  CHECK(option->choices.size() == engine.formats.size());
  return option->choices;
}

}  // namespace

std::string_view FormatOf(const Engine& engine, const EngineOptions& options) {
  const std::vector<uint64_t> choices = ChoicesOf(engine);
  if (choices.empty()) return "";
  const auto chosen = options.find(std::string(engine.format_option));
  if (chosen == options.end()) return engine.formats.front();
  const auto choice = std::find(choices.begin(), choices.end(), chosen->second);
  if (choice == choices.end()) return "";  // The engine refuses to open.
  return engine.formats[static_cast<size_t>(choice - choices.begin())];
}

void ChooseFormatOfSeed(const Engine& engine, sim::Seed seed, EngineOptions& options) {
  const std::vector<uint64_t> choices = ChoicesOf(engine);
  if (choices.empty()) return;
  const size_t choice = seed % 2 == 1 ? 2 : seed % 8 == 0 ? 1 : 0;
  options[std::string(engine.format_option)] = choices[choice % choices.size()];
}

std::map<uint32_t, EngineOptions> DrawFormatsOfBoots(const Engine& engine,
                                                     const sim::FaultPlan& faults,
                                                     const sim::Rng& rng) {
  std::map<uint32_t, EngineOptions> boots;
  const std::vector<uint64_t> choices = ChoicesOf(engine);
  if (choices.empty()) return boots;
  const size_t boots_max = 1 + faults.cuts.size();
  for (uint32_t boot = 2; boot <= boots_max; ++boot) {
    sim::Rng dice = rng.Fork(boot);
    boots[boot] = {{std::string(engine.format_option), choices[dice.Below(choices.size())]}};
  }
  return boots;
}

std::string FormatPair(std::string_view from, std::string_view to) {
  return absl::StrCat(base::ToAbsl(from), "->", base::ToAbsl(to));
}

std::vector<std::string> FormatPairs(const Engine& engine) {
  std::vector<std::string> pairs;
  for (const std::string_view from : engine.formats) {
    for (const std::string_view to : engine.formats) pairs.push_back(FormatPair(from, to));
  }
  return pairs;
}

std::map<std::string, uint64_t> ByFormat(const TablesWritten& tables) {
  std::map<std::string, uint64_t> counts = {
      {"sst3", tables.sst3}, {"ph2", tables.ph2}, {"ph3", tables.ph3}};
  std::erase_if(counts, [](const auto& count) { return count.second == 0; });
  return counts;
}

}  // namespace kiban::suites
