// What a section costs: bytes a key, building, opening, looking up. The argument is the layout; 1M
// keys of 38 bytes, values of 256 bytes, one version each, asked in an order of chance.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/pointindex/builder.h"
#include "engine/pointindex/reader.h"

namespace kiban::pointindex {
namespace {

constexpr uint64_t kKeyCount = 1000000;
constexpr size_t kKeyBytes = 38;

struct Table {
  std::string keys;
  std::vector<Record> records;

  std::string_view key(uint64_t i) const { return {keys.data() + i * kKeyBytes, kKeyBytes}; }
};

// `step` is what lies between two accounts: keys that are dense or sparse.
Table MakeTable(uint64_t step) {
  Table table;
  char key[kKeyBytes + 1];
  for (uint64_t i = 0; i < kKeyCount; ++i) {
    std::snprintf(key, sizeof key, "tenant/0001/account/%018llu",
                  static_cast<unsigned long long>(i * step));
    table.keys.append(key, kKeyBytes);
  }
  for (uint64_t i = 0; i < kKeyCount; ++i) {
    table.records.push_back({.key = table.key(i),
                             .begins_key = true,
                             .hash = KeyHash(table.key(i)),
                             .sequence = i + 1,
                             .place = {.offset = 30 + i * 275, .bytes = 256}});
  }
  return table;
}

const Table& TableOf(uint64_t step) {
  static const Table dense = MakeTable(1);
  static const Table sparse = MakeTable(997);
  return step == 1 ? dense : sparse;
}

std::string BuildOf(const Table& table, Layout layout) {
  const std::unique_ptr<Builder> builder = Builder::Make({.layout = layout});
  for (const Record& record : table.records) builder->Add(record);
  return builder->Finish(1, 0).value();
}

std::unique_ptr<const PointIndex> OpenOf(const Table& table, const std::string& section) {
  size_t at = 0;
  const auto next = [&](Record& record) -> absl::StatusOr<bool> {
    if (at == table.records.size()) return false;
    record = table.records[at++];
    return true;
  };
  return PointIndex::Open(section, {.path = "bench", .file_number = 1, .offset = 0}, {}, next)
      .value();
}

void Build(benchmark::State& state) {
  const Table& table = TableOf(static_cast<uint64_t>(state.range(1)));
  const auto layout = static_cast<Layout>(state.range(0));
  std::string section;
  for (auto _ : state) section = BuildOf(table, layout);
  const SectionSizes sizes = OpenOf(table, section)->sizes();
  const auto per_key = [](uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(kKeyCount);
  };
  state.counters["pilots"] = per_key(sizes.pilots);
  state.counters["slots"] = per_key(sizes.slots);
  state.counters["keys"] = per_key(sizes.keys);
  state.counters["versions"] = per_key(sizes.versions);
  state.counters["arena"] = per_key(sizes.arena);
  state.counters["total"] = per_key(sizes.total);
}

void Open(benchmark::State& state) {
  const Table& table = TableOf(static_cast<uint64_t>(state.range(1)));
  const std::string section = BuildOf(table, static_cast<Layout>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(OpenOf(table, section));
}

void FindKey(benchmark::State& state) {
  const Table& table = TableOf(static_cast<uint64_t>(state.range(1)));
  const auto index = OpenOf(table, BuildOf(table, static_cast<Layout>(state.range(0))));
  uint64_t i = 0;
  for (auto _ : state) {
    i = (i + 618033) % kKeyCount;
    const std::string_view key = table.key(i);
    const Answer answer = index->Find(key, KeyHash(key), base::kSequenceMax);
    CHECK(answer.place.offset == 30 + i * 275);
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(Build)->ArgsProduct({{2, 3}, {1, 997}})->Unit(benchmark::kMillisecond);
BENCHMARK(Open)->ArgsProduct({{2, 3}, {1, 997}})->Unit(benchmark::kMillisecond);
BENCHMARK(FindKey)->ArgsProduct({{2, 3}, {1, 997}});

}  // namespace
}  // namespace kiban::pointindex

BENCHMARK_MAIN();
