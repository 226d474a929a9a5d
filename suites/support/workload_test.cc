// Goal:   drawn lives are legal, mostly small, of all kinds, and no draw depends on another.
// Method: draw many for an engine that promises everything and for one that promises little, and
// count.
#include "suites/support/workload.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "suites/support/key_pool.h"

namespace kiban::suites {
namespace {

constexpr sim::Seed kLives = 400;

Engine FullEngine() {
  Engine engine;
  engine.name = "full";
  engine.promises = {.witness = true, .batches_whole = true, .snapshots = true, .cursors = true};
  engine.options = {{"buffer", {8, 1, 2, 4}}, {"block", {4, 1}}, {"only", {7}}};
  return engine;
}

std::vector<Operation> Life(sim::Seed seed, const WorkloadShape& shape = WorkloadShape()) {
  return DrawWorkload(FullEngine(), shape, sim::Rng(seed));
}

size_t Bytes(const Operation& operation) {
  size_t bytes = operation.key.size() + operation.value_bytes;
  for (const BatchItem& item : operation.batch) {
    bytes += item.key.size() + item.value_bytes.value_or(0);
  }
  return bytes;
}

bool Mutates(const Operation& operation) {
  return operation.kind == OpKind::kPut || operation.kind == OpKind::kDelete ||
         operation.kind == OpKind::kBatch;
}

TEST(Workload, IsTheSameForTheSameSeed) {
  EXPECT_EQ(Life(1), Life(1));
  EXPECT_NE(Life(1), Life(2));
}

TEST(Workload, GivesEachClientItsShareAndItsOwnSnapshots) {
  const WorkloadShape shape = {.clients = 4};
  uint64_t reads_at_snapshots = 0;
  for (sim::Seed seed = 0; seed < kLives; ++seed) {
    std::map<uint32_t, uint64_t> operations_of;
    std::map<uint32_t, uint32_t> taken_by;  // By the snapshot's operation.
    for (const Operation& operation : Life(seed, shape)) {
      ++operations_of[operation.client];
      EXPECT_EQ(operation.client == 0, operation.kind == OpKind::kReopen);
      if (operation.kind == OpKind::kSnapshot) taken_by[operation.id] = operation.client;
      if (operation.snapshot == 0) continue;
      EXPECT_EQ(taken_by.at(operation.snapshot), operation.client);
      reads_at_snapshots += operation.kind != OpKind::kRelease ? 1 : 0;
    }
    for (uint32_t client = 1; client <= 4; ++client) EXPECT_GT(operations_of[client], 20u);
  }
  EXPECT_GT(reads_at_snapshots, kLives);
}

TEST(Workload, HasAsManyOperationsAsItsShapeSays) {
  uint64_t total = 0;
  for (sim::Seed seed = 0; seed < kLives; ++seed) {
    const auto life = Life(seed);
    total += life.size();
    EXPECT_GE(life.size(), 200u);
    EXPECT_LE(life.size(), 260u);
    for (size_t i = 0; i < life.size(); ++i) EXPECT_EQ(life[i].id, i + 1);
  }
  EXPECT_GT(total, kLives * 220);
}

TEST(Workload, EndsWithFlushesAndACompaction) {
  using enum OpKind;
  const std::vector<OpKind> tail = {kPut, kFlush, kPut, kFlush, kPut, kCompact};
  for (sim::Seed seed = 0; seed < kLives; ++seed) {
    const auto life = Life(seed);
    std::vector<OpKind> kinds;
    for (const Operation& operation : life) kinds.push_back(operation.kind);
    EXPECT_TRUE(std::equal(tail.rbegin(), tail.rend(), kinds.rbegin()));
  }
}

TEST(Workload, IsMostlyWritesOfWhichSomeAreSynced) {
  std::map<OpKind, uint64_t> kinds;
  uint64_t operations = 0, writes = 0, synced = 0;
  for (sim::Seed seed = 0; seed < kLives; ++seed) {
    for (const Operation& operation : Life(seed, {.cursors = true})) {
      ++operations;
      ++kinds[operation.kind];
      writes += Mutates(operation) ? 1 : 0;
      synced += operation.durability == Durability::kSynced ? 1 : 0;
    }
  }
  EXPECT_GT(writes, operations / 2);
  EXPECT_GT(synced, writes * 15 / 100);
  EXPECT_LT(synced, writes * 30 / 100);
  EXPECT_EQ(kinds.size(), static_cast<size_t>(OpKind::kCursor) + 1);  // All there are.
}

TEST(Workload, LeavesKindsOutOfSomeLives) {
  std::map<OpKind, uint64_t> lives_with;
  for (sim::Seed seed = 0; seed < kLives; ++seed) {
    std::set<OpKind> kinds;
    for (const Operation& operation : Life(seed)) kinds.insert(operation.kind);
    for (const OpKind kind : kinds) ++lives_with[kind];
  }
  for (const OpKind kind : {OpKind::kDelete, OpKind::kBatch, OpKind::kGet, OpKind::kScan}) {
    EXPECT_GT(lives_with[kind], kLives / 2);
    EXPECT_LT(lives_with[kind], kLives * 9 / 10);
  }
}

TEST(Workload, AsksOnlyForWhatIsPromised) {
  Engine engine = FullEngine();
  engine.promises = {};
  for (sim::Seed seed = 0; seed < kLives; ++seed) {
    for (const Operation& operation : DrawWorkload(engine, {.cursors = true}, sim::Rng(seed))) {
      EXPECT_NE(operation.kind, OpKind::kSnapshot);
      EXPECT_NE(operation.kind, OpKind::kCursor);
      EXPECT_EQ(operation.snapshot, 0u);
    }
  }
}

TEST(Workload, ReadsOnlyAtSnapshotsThatLive) {
  uint64_t reads = 0, releases = 0;
  for (sim::Seed seed = 0; seed < kLives; ++seed) {
    std::set<uint32_t> alive;
    for (const Operation& operation : Life(seed, {.cursors = true})) {
      if (operation.kind == OpKind::kSnapshot) alive.insert(operation.id);
      if (operation.kind == OpKind::kReopen) alive.clear();
      if (operation.snapshot == 0) continue;
      ASSERT_TRUE(alive.contains(operation.snapshot)) << seed << ", " << operation.id;
      (operation.kind == OpKind::kRelease ? releases : reads) += 1;
      if (operation.kind == OpKind::kRelease) alive.erase(operation.snapshot);
    }
  }
  EXPECT_GT(reads, kLives);
  EXPECT_GT(releases, kLives / 2);
}

TEST(Workload, IsSmallButForOneLifeOfTwenty) {
  uint64_t huge_lives = 0;
  for (sim::Seed seed = 0; seed < 2000; ++seed) {
    uint64_t huge = 0, bytes = 0;
    for (const Operation& operation : Life(seed)) {
      huge += Bytes(operation) >= 10'000 ? 1 : 0;
      bytes += Bytes(operation);
      EXPECT_LE(operation.key.size(), 90'000u);
      EXPECT_LE(operation.value_bytes, 100'000u);
    }
    EXPECT_LE(huge, 5u);
    if (huge == 0) {
      EXPECT_LT(bytes, 100'000u) << seed;
    } else {
      ++huge_lives;
    }
  }
  EXPECT_GT(huge_lives, 2000u / 20 / 2);
  EXPECT_LT(huge_lives, 2000u / 20 * 2);
}

TEST(Workload, HasATextThatIsReadBack) {
  for (sim::Seed seed = 0; seed < 50; ++seed) {
    for (const Operation& operation : Life(seed, {.cursors = true})) {
      std::string text;
      AppendText(text, operation);
      const auto read = ParseOperation(text);
      ASSERT_TRUE(read.ok()) << text << ": " << read.status();
      ASSERT_EQ(*read, operation) << text;
    }
  }
}

TEST(Keys, AreFewAndHostile) {
  std::set<std::string> all;
  for (sim::Seed seed = 0; seed < kLives; ++seed) {
    const KeyPool pool((sim::Rng(seed)));
    EXPECT_GE(pool.keys().size(), 1u);
    EXPECT_LE(pool.keys().size(), 40u);
    all.insert(pool.keys().begin(), pool.keys().end());
  }
  const auto any = [&](auto is_such) { return std::any_of(all.begin(), all.end(), is_such); };
  EXPECT_TRUE(all.contains(""));
  EXPECT_TRUE(any([](const std::string& key) { return key.find('\0') != std::string::npos; }));
  EXPECT_TRUE(any([](const std::string& key) { return key.starts_with('\xff'); }));
  for (const size_t bytes : {1u, 8u, 45u, 46u, 47u, 127u, 128u, 129u, 255u, 256u, 257u}) {
    EXPECT_TRUE(any([&](const std::string& key) { return key.size() == bytes; })) << bytes;
  }
}

TEST(Options, AreDrawnByNameAndMostlyPlain) {
  std::map<uint64_t, uint64_t> drawn;
  Engine other = FullEngine();
  other.options.insert(other.options.begin(), {"new", {1, 2, 3}});
  for (sim::Seed seed = 0; seed < kLives; ++seed) {
    EngineOptions options = DrawOptions(FullEngine(), sim::Rng(seed));
    EXPECT_EQ(options.size(), 3u);
    EXPECT_EQ(options.at("only"), 7u);
    ++drawn[options.at("buffer")];
    EngineOptions with_new = DrawOptions(other, sim::Rng(seed));
    with_new.erase("new");
    EXPECT_EQ(with_new, options);  // A new option changes no other one's draw.
  }
  EXPECT_EQ(drawn.size(), 4u);
  EXPECT_GT(drawn[8], kLives / 2);
  EXPECT_LT(drawn[8], kLives * 3 / 4);
}

}  // namespace
}  // namespace kiban::suites
