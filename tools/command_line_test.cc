#include "tools/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kiban::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Arguments g_called_with;  // By the last command that ran.

int Remember(const Arguments& arguments) {
  g_called_with = arguments;
  return 7;
}

std::vector<Command> Commands() {
  const Command check = {.name = "check",
                         .summary = "Checks.",
                         .details = {},
                         .examples = {"corpus check"},
                         .operands = {.name = "[DIR...]", .required = false, .many = true},
                         .flags = {},
                         .run = Remember,
                         .parts = {}};
  return {{.name = "sweep",
           .summary = "Sweeps.",
           .details = "At length.",
           .examples = {"sweep --seeds 7"},
           .operands = {},
           .flags = {{"--seeds", "N", "how many"}, {"--fail-fast", "", "soon"}},
           .run = Remember,
           .parts = {}},
          {.name = "replay",
           .summary = "Replays.",
           .details = {},
           .examples = {},
           .operands = {.name = "CASE...", .required = true, .many = true},
           .flags = {},
           .run = Remember,
           .parts = {}},
          {.name = "corpus",
           .summary = "Keeps.",
           .details = {},
           .examples = {},
           .operands = {},
           .flags = {},
           .run = nullptr,
           .parts = {check}}};
}

int Call(std::vector<const char*> words) {
  words.insert(words.begin(), "build/kiban");
  const std::vector<Command> commands = Commands();
  return RunCommandLine("Kiban.", commands, static_cast<int>(words.size()), words.data());
}

TEST(CommandLine, PassesWhatWasSaid) {
  EXPECT_EQ(Call({"sweep", "--seeds", "5", "--fail-fast"}), 7);
  EXPECT_EQ(g_called_with.Value("--seeds"), "5");
  EXPECT_TRUE(g_called_with.Has("--fail-fast"));
  EXPECT_EQ(g_called_with.program(), "build/kiban");
  EXPECT_THAT(g_called_with.words(), ElementsAre("sweep", "--seeds", "5", "--fail-fast"));
}

TEST(CommandLine, WhatWasNotSaidIsAbsent) {
  EXPECT_EQ(Call({"sweep"}), 7);
  EXPECT_FALSE(g_called_with.Has("--seeds"));
  EXPECT_FALSE(g_called_with.Has("--fail-fast"));
  EXPECT_EQ(g_called_with.ValueOr("--seeds", "9"), "9");
}

TEST(CommandLine, ASwitchThatIsTurnedOffIsAbsent) {
  EXPECT_EQ(Call({"sweep", "--fail-fast=false"}), 7);
  EXPECT_FALSE(g_called_with.Has("--fail-fast"));
  EXPECT_EQ(Call({"sweep", "--fail-fast=false", "--fail-fast"}), 7);
  EXPECT_TRUE(g_called_with.Has("--fail-fast"));
}

TEST(CommandLine, TheLastOfARepeatedFlagCounts) {
  EXPECT_EQ(Call({"sweep", "--seeds", "20000", "--seeds=50"}), 7);
  EXPECT_EQ(g_called_with.Value("--seeds"), "50");
}

TEST(CommandLine, TakesOperandsAndParts) {
  EXPECT_EQ(Call({"replay", "a.case", "b.case"}), 7);
  EXPECT_THAT(g_called_with.operands(), ElementsAre("a.case", "b.case"));
  EXPECT_EQ(Call({"corpus", "check"}), 7);
  EXPECT_EQ(Call({"corpus", "check", "here", "there"}), 7);
  EXPECT_THAT(g_called_with.operands(), ElementsAre("here", "there"));
}

TEST(CommandLine, EveryBadCallEndsWithTwo) {
  for (const std::vector<const char*>& words :
       std::vector<std::vector<const char*>>{{},
                                             {"sweeep"},
                                             {"sweep", "--sedes", "5"},
                                             {"sweep", "--seeds"},
                                             {"sweep", "operand"},
                                             {"replay"},
                                             {"corpus"},
                                             {"corpus", "chekc"}}) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(Call(words), kExitBadUsage);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), StartsWith("kiban: "));
  }
}

TEST(CommandLine, HelpShowsExamplesFirstAndEndsWithZero) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(Call({"sweep", "--help"}), 0);
  const std::string own = testing::internal::GetCapturedStdout();
  EXPECT_THAT(own, StartsWith("Examples:\n  kiban sweep --seeds 7\n"));
  EXPECT_THAT(own, HasSubstr("--seeds N"));
  testing::internal::CaptureStdout();
  EXPECT_EQ(Call({"--help"}), 0);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), StartsWith("Examples:\n"));
}

}  // namespace
}  // namespace kiban::tools
