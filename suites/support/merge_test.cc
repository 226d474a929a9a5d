// Goal:   shards' results make the same whole as one sweep, and what does not fit is refused.
// Method: results are made up here, written as JSON, read back and merged.
#include "suites/support/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "suites/support/json.h"

namespace kiban::suites {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr uint64_t kSeeds = 4001;
constexpr uint64_t kShards = 4;
const Provenance kProvenance = {"abc1234", "g++", "", "kiban", {"sweep"}};

FailureGroup Group(std::string signature, uint64_t seed, uint64_t count) {
  FailureGroup group;
  group.signature = std::move(signature);
  group.count = count;
  WrittenCase& written = group.written.emplace_back();
  written.failure.seed = seed;
  written.failure.verdict = Verdict::kViolated;
  written.path = "crash-" + std::to_string(seed) + ".case";
  written.command = "kiban replay " + written.path;
  return group;
}

SweepResult ShardResult(uint64_t index) {
  SweepResult result;
  result.request.suite = FindSuite("crash");
  result.request.engine = FindEngine("toy");
  result.request.profile = sim::FindProfile("strict");
  result.request.first_seed = 7;
  result.request.seeds = kSeeds;
  result.request.shard = {.index = index, .count = kShards, .source = "--shard"};
  Tally& tally = result.tally;
  tally.seeds = result.request.shard.SeedsOf(kSeeds);
  tally.verdicts[0] = tally.seeds - 3;
  tally.verdicts[1] = 3;
  tally.counts.power_cuts = 10 * index;
  tally.counts.micro_ops_torn = index;
  tally.counts.crash_points[""] = 1;
  for (const std::string_view span : result.request.engine->crash_spans) {
    tally.counts.crash_points[std::string(span)] = index;
  }
  tally.counts.marks["toy.torn_tail"] = index;
  tally.counts.tables = {.sst3 = index, .ph2 = 20 * index, .ph3 = 300 * index};
  tally.counts.format_pairs["sst3->ph2"] = index;
  tally.counts.format_switches = 4000 * index;
  tally.digest = {.high = index, .low = ~uint64_t{0}};
  tally.slowest = {{.seed = index, .seconds = 0.25 * static_cast<double>(index)}};
  result.failures = {Group("violated: b", 94 + index, 2), Group("violated: a", 10 + index, 1)};
  result.seconds = static_cast<double>(10 - index);
  result.cpu_seconds = 5;
  result.memory = {.first_bytes = 1, .last_bytes = index, .max_bytes = 100 - index};
  return result;
}

SweepFile FileOf(const std::string& path, const SweepResult& result) {
  const std::vector<SweepResult> results = {result};
  const auto file = ParseSweepJson(path, SweepJson(kProvenance, results));
  EXPECT_TRUE(file.ok()) << file.status();
  return *file;
}

std::vector<SweepFile> AllShards() {
  std::vector<SweepFile> files;
  for (uint64_t index = kShards; index >= 1; --index) {
    files.push_back(FileOf("shard-" + std::to_string(index), ShardResult(index)));
  }
  return files;
}

SweepFile EndedEarly() {
  SweepResult result = ShardResult(2);
  result.complete = false;
  --result.tally.seeds;
  --result.tally.verdicts[0];
  return FileOf("early", result);
}

std::string Complaint(const std::vector<SweepFile>& files) {
  return std::string(MergeShards(files).status().message());
}

TEST(Merge, AddsUpWhatAddsUp) {
  const auto merged = MergeShards(AllShards());
  ASSERT_TRUE(merged.ok()) << merged.status();
  const SweepResult& whole = merged->at(0);
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.request.shard.count, 1u);
  EXPECT_EQ(whole.tally.seeds, kSeeds);
  EXPECT_EQ(whole.tally.verdicts[1], 12u);
  EXPECT_EQ(whole.tally.counts.power_cuts, 100u);
  EXPECT_EQ(whole.tally.counts.micro_ops_torn, 10u);
  EXPECT_EQ(whole.tally.counts.crash_points.at(""), 4u);
  EXPECT_EQ(whole.tally.counts.tables.sst3, 10u);
  EXPECT_EQ(whole.tally.counts.tables.ph2, 200u);
  EXPECT_EQ(whole.tally.counts.tables.ph3, 3000u);
  EXPECT_EQ(whole.tally.counts.format_pairs.at("sst3->ph2"), 10u);
  EXPECT_EQ(whole.tally.counts.format_switches, 40000u);
  EXPECT_EQ(whole.tally.digest, (sim::Digest{.high = 13, .low = ~uint64_t{0} - 3}));
  EXPECT_EQ(whole.tally.slowest.front().seed, 4u);
  EXPECT_EQ(whole.seconds, 9);
  EXPECT_EQ(whole.cpu_seconds, 20);
  EXPECT_EQ(whole.memory.last_bytes, 4u);
  EXPECT_EQ(whole.memory.max_bytes, 99u);
  EXPECT_EQ(whole.distinct_schedules, std::nullopt);
  EXPECT_EQ(ExitStatus(whole), 1);
}

TEST(Merge, GroupsFailuresAnew) {
  const auto merged = MergeShards(AllShards());
  const std::vector<FailureGroup>& groups = merged->at(0).failures;
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[0].signature, "violated: a");
  EXPECT_EQ(groups[0].count, 4u);
  EXPECT_EQ(groups[1].count, 8u);
  ASSERT_THAT(groups[1].written, SizeIs(kCasesPerSignatureMax));
  EXPECT_EQ(groups[1].written[0].failure.seed, 95u);
  EXPECT_EQ(groups[1].written[0].command, "kiban replay crash-95.case");
}

TEST(Merge, JudgesTheFloors) {
  EXPECT_THAT(MergeShards(AllShards())->at(0).floors_missed, ElementsAre("mark toy.rewritten"));
}

TEST(Merge, IsIncompleteIfAShardIs) {
  std::vector<SweepFile> files = AllShards();
  files[2] = EndedEarly();
  EXPECT_FALSE(MergeShards(files)->at(0).complete);
}

TEST(Merge, SaysWhichShardEndedEarly) {
  std::vector<SweepFile> files = AllShards();
  EXPECT_EQ(EarlyEndsText(files), "");
  files[2] = EndedEarly();
  EXPECT_EQ(EarlyEndsText(files),
            "early: shard 2/4 of crash ended early: 999 of 1000 seeds were lived\n");
}

TEST(Merge, IsBrokenIfAShardIs) {
  SweepResult broken = ShardResult(2);
  broken.harness_error = "workers keep dying";
  std::vector<SweepFile> files = AllShards();
  files[2] = FileOf("broken", broken);
  const auto merged = MergeShards(files);
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ(merged->at(0).harness_error, "broken: workers keep dying");
  EXPECT_EQ(ExitStatus(*merged), 2);
}

TEST(Merge, RefusesWhatDoesNotFitAndSaysWhich) {
  EXPECT_EQ(Complaint({AllShards()[0], AllShards()[1], AllShards()[3]}),
            "shard 2/4 is missing among 3 files");
  std::vector<SweepFile> files = AllShards();
  files.push_back(FileOf("again", ShardResult(3)));
  EXPECT_EQ(Complaint(files), "shard-3 and again are both shard 3/4");
  const auto changed = [](const auto& change) {
    std::vector<SweepFile> shards = AllShards();
    change(shards[1]);
    return Complaint(shards);
  };
  EXPECT_EQ(changed([](SweepFile& file) { file.provenance.revision = "0000000"; }),
            "shard-3 does not fit to shard-4: revision 0000000 instead of abc1234");
  EXPECT_THAT(changed([](SweepFile& file) { file.provenance.build = "clang++"; }),
              HasSubstr("build clang++ instead of g++"));
  EXPECT_THAT(changed([](SweepFile& f) { f.results[0].request.suite = FindSuite("model"); }),
              HasSubstr("suite model instead of crash"));
  EXPECT_THAT(changed([](SweepFile& f) { f.results[0].request.engine = FindEngine("lsm"); }),
              HasSubstr("engine lsm instead of toy"));
  EXPECT_THAT(changed([](SweepFile& file) { file.results[0].request.first_seed = 8; }),
              HasSubstr("first seed 8 instead of 7"));
  EXPECT_THAT(changed([](SweepFile& file) { file.results[0].request.seeds = 9; }),
              HasSubstr("number of seeds 9 instead of 4001"));
  EXPECT_THAT(changed([](SweepFile& file) { file.results[0].request.plant = "no-wal-sync"; }),
              HasSubstr("plant no-wal-sync instead of none"));
  EXPECT_THAT(changed([](SweepFile& file) { file.results[0].request.shard.count = 5; }),
              HasSubstr("number of shards 5 instead of 4"));
  EXPECT_THAT(changed([](SweepFile& file) { file.results.clear(); }),
              HasSubstr("number of suites 0 instead of 1"));
}

TEST(SweepJson, IsReadAsItWasWritten) {
  const SweepResult written = ShardResult(2);
  const SweepFile file = FileOf("a.json", written);
  EXPECT_EQ(SweepJson(kProvenance, file.results), [&] {
    std::vector<SweepResult> results = {written};
    results[0].distinct_schedules.reset();
    return SweepJson(kProvenance, results);
  }());
}

TEST(SweepJson, ASuiteStandsInItOnce) {
  const std::vector<SweepResult> results = {ShardResult(2), ShardResult(2)};
  const auto file = ParseSweepJson("a.json", SweepJson(kProvenance, results));
  EXPECT_THAT(std::string(file.status().message()), HasSubstr("a suite twice"));
}

TEST(SweepJson, WhatNoSweepHasWrittenIsRefused) {
  const std::vector<SweepResult> results = {ShardResult(2)};
  const std::string good = SweepJson(kProvenance, results);
  for (const auto& [from, to, complaint] : std::vector<std::array<std::string, 3>>{
           {"\"schema\": 1", "\"schema\": 2", "another schema"},
           {"\"suite\": \"crash\"", "\"suite\": \"nix\"", "no suite nix"},
           {"\"engine\": \"toy\"", "\"engine\": 7", "no fitting \"engine\""},
           {"\"violated\": 3", "\"violated\": 4", "verdicts are not those"},
           {"\"violated\": 3", "\"violated\": -3", "no fitting \"violated\""},
           {"\"violated\": 3,\n        \"unavailable\": 0",
            "\"violated\": 4,\n        \"unavailable\": 18446744073709551615",
            "verdicts are not those"},
           {"\"strict\": 1000", "\"strict\": 1001", "profile is not that of its seeds"},
           {"\"crashes\": 20", "\"crashes\": 21", "crashes are not"},
           {"\"flush\": 0", "\"flush\": 1001", "more lives without than lives"},
           {"\"count\": 2,", "\"count\": 0,", "a group of no failures"},
           {"\"count\": 2,", "\"count\": 3,", "failures are not its verdicts'"},
           {"\"verdict\": \"violated\"", "\"verdict\": \"held\"", "failures are not its"},
           {"\"verdict\": \"violated\"", "\"verdict\": \"stuck\"", "failures are not its"},
           {"\"seed\": 12,", "\"seed\": 13,", "a seed it did not live"},
           {"\"seed\": 12,", "\"seed\": 4,", "a seed it did not live"},
           {"\"seed\": 12,", "\"seed\": 4012,", "a seed it did not live"},
           {"\"harness_error\"", "\"error\"", "no fitting \"harness_error\""},
           {"\"first_seed\": 7", "\"first_seed\": 18446744073709551615", "no such seeds"},
           {"\"seeds_asked\": 4001", "\"seeds_asked\": 0", "no such seeds"},
           {"\"seeds_asked\": 4001", "\"seeds_asked\": 40", "more seeds than it was asked"},
           {"\"index\": 2", "\"index\": 0", "no such shard"},
           {"\"kills\"", "\"kill\"", "no fitting \"kills\""},
           {"\"digest\": \"", "\"digest\": \"x", "no such digest"},
           {"\"complete\": true", "\"complete\": false", "\"complete\" is not"},
           {"\"suites\": [", "\"suites\": [], \"others\": [", "no suite in it"},
           {"{", "[", "no fitting \"schema\""}}) {
    std::string bad = good;
    ASSERT_NE(bad.find(from), bad.npos) << from;
    bad.replace(bad.find(from), from.size(), to);
    const auto file = ParseSweepJson("a.json", bad);
    EXPECT_THAT(std::string(file.status().message()), HasSubstr("a.json: not the results")) << to;
    EXPECT_THAT(std::string(file.status().message()), HasSubstr(complaint)) << to;
  }
}

}  // namespace
}  // namespace kiban::suites
