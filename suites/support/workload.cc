#include "suites/support/workload.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "engine/base/check.h"
#include "suites/support/key_pool.h"

namespace kiban::suites {
namespace {

constexpr OpKind kTail[] = {OpKind::kPut,   OpKind::kFlush, OpKind::kPut,
                            OpKind::kFlush, OpKind::kPut,   OpKind::kCompact};
constexpr size_t kTailOperations = std::size(kTail);
constexpr size_t kSnapshotsAliveMax = 4;

struct Weight {
  OpKind kind;
  uint32_t weight;
};
// Releases come with snapshots, reopens have places of their own.
constexpr Weight kWeights[] = {{OpKind::kPut, 40},     {OpKind::kDelete, 12}, {OpKind::kBatch, 10},
                               {OpKind::kGet, 10},     {OpKind::kScan, 8},    {OpKind::kLatest, 4},
                               {OpKind::kSnapshot, 4}, {OpKind::kSync, 3},    {OpKind::kFlush, 2},
                               {OpKind::kCompact, 1},  {OpKind::kCursor, 8}};

// One life's drawer. Every operation has a stream of its own, so that none shifts another's luck.
class Drawer {
 public:
  Drawer(const Engine& engine, const WorkloadShape& shape, const sim::Rng& rng);
  std::vector<Operation> Draw();

 private:
  using Ids = std::vector<uint32_t>;

  OpKind DrawKind(sim::Rng& dice) const;
  Operation DrawOperation(OpKind kind, sim::Rng& dice);
  Operation DrawHugeOperation(sim::Rng& dice) const;
  Operation Reopen();
  uint32_t DrawClient(uint64_t place) const;
  void FillBatch(Operation& operation, sim::Rng& dice) const;
  void FillRange(Operation& operation, sim::Rng& dice) const;
  void FillMoves(Operation& operation, sim::Rng& dice) const;
  void TakeOrRelease(Operation& operation, sim::Rng& dice);
  Ids& Snapshots() { return snapshots_[client_]; }
  Durability DrawDurability(sim::Rng& dice) const;
  uint32_t DrawSnapshot(sim::Rng& dice);

  const Engine& engine_;
  const sim::Rng rng_;
  const KeyPool keys_;
  std::vector<Weight> weights_;  // Of the kinds that exist in this life.
  uint32_t sync_percent_ = 0;
  uint32_t operations_ = 0;
  std::set<uint64_t> reopens_;  // Places in the life.
  std::set<uint64_t> huge_;
  const uint32_t clients_;
  std::vector<Ids> snapshots_;  // By client: those alive, oldest first.
  uint32_t client_ = 0;         // Whose operation is being drawn.
  uint32_t next_id_ = 1;
};

Drawer::Drawer(const Engine& engine, const WorkloadShape& shape, const sim::Rng& rng)
    : engine_(engine),
      rng_(rng),
      keys_(rng.Stream("keys")),
      clients_(shape.clients),
      snapshots_(shape.clients + 1) {
  CHECK(shape.operations_min > kTailOperations);
  sim::Rng swarm = rng.Stream("swarm");
  for (const Weight& weight : kWeights) {
    const bool exists = weight.kind == OpKind::kPut || swarm.Chance(3, 4);
    const bool is_possible =
        (weight.kind != OpKind::kSnapshot || engine.promises.snapshots) &&
        (weight.kind != OpKind::kCursor || (engine.promises.cursors && shape.cursors));
    if (exists && is_possible) weights_.push_back(weight);
  }
  sync_percent_ = static_cast<uint32_t>(swarm.Between(15, 30));
  sim::Rng places = rng.Stream("places");
  operations_ = static_cast<uint32_t>(places.Between(shape.operations_min, shape.operations_max));
  const uint64_t body = operations_ - kTailOperations;
  const uint64_t reopens = places.Between(0, shape.reopens_max);
  for (uint64_t i = 0; i < reopens; ++i) reopens_.insert(places.Below(body));
  if (places.Chance(1, 20)) {
    const uint64_t huge = places.Between(1, 3);
    for (uint64_t i = 0; i < huge; ++i) huge_.insert(places.Below(body));
  }
}

std::vector<Operation> Drawer::Draw() {
  std::vector<Operation> operations;
  operations.reserve(operations_);
  const uint64_t body = operations_ - kTailOperations;
  for (uint64_t i = 0; i < operations_; ++i) {
    sim::Rng dice = rng_.Stream("operation").Fork(i);
    client_ = i >= body ? std::min(clients_, 1u) : DrawClient(i);
    if (i >= body) {
      operations.push_back(DrawOperation(kTail[i - body], dice));
    } else if (reopens_.contains(i)) {
      operations.push_back(Reopen());
    } else if (huge_.contains(i)) {
      operations.push_back(DrawHugeOperation(dice));
    } else {
      const OpKind kind = DrawKind(dice);
      operations.push_back(DrawOperation(kind, dice));
    }
    operations.back().id = next_id_++;
    if (operations.back().kind != OpKind::kReopen) operations.back().client = client_;
  }
  return operations;
}

uint32_t Drawer::DrawClient(uint64_t place) const {
  if (clients_ == 0) return 0;
  return static_cast<uint32_t>(rng_.Stream("client").Fork(place).Between(1, clients_));
}

OpKind Drawer::DrawKind(sim::Rng& dice) const {
  uint64_t total = 0;
  for (const Weight& weight : weights_) total += weight.weight;
  uint64_t drawn = dice.Below(total);
  for (const Weight& weight : weights_) {
    if (drawn < weight.weight) return weight.kind;
    drawn -= weight.weight;
  }
  CHECK(false);
}

Operation Drawer::DrawOperation(OpKind kind, sim::Rng& dice) {
  Operation operation;
  operation.kind = kind;
  switch (kind) {
    case OpKind::kPut:
      operation.key = keys_.Draw(dice);
      operation.value_bytes = DrawValueBytes(dice);
      operation.durability = DrawDurability(dice);
      break;
    case OpKind::kDelete:
      operation.key = keys_.Draw(dice);
      operation.durability = DrawDurability(dice);
      break;
    case OpKind::kBatch:
      FillBatch(operation, dice);
      operation.durability = DrawDurability(dice);
      break;
    case OpKind::kGet:
      operation.key = keys_.DrawNear(dice);
      operation.snapshot = DrawSnapshot(dice);
      break;
    case OpKind::kScan:
      FillRange(operation, dice);
      operation.direction = dice.Chance(1, 2) ? Direction::kForward : Direction::kReverse;
      operation.limit = dice.Chance(1, 4) ? 1000 : static_cast<uint32_t>(dice.Between(0, 12));
      operation.snapshot = DrawSnapshot(dice);
      break;
    case OpKind::kLatest:
      operation.key = keys_.DrawPrefix(dice);
      operation.limit = static_cast<uint32_t>(dice.Between(0, 10));
      operation.snapshot = DrawSnapshot(dice);
      break;
    case OpKind::kCursor:
      FillRange(operation, dice);
      FillMoves(operation, dice);
      operation.snapshot = DrawSnapshot(dice);
      break;
    case OpKind::kSnapshot:
    case OpKind::kRelease:
      TakeOrRelease(operation, dice);
      break;
    case OpKind::kSync:
    case OpKind::kFlush:
    case OpKind::kCompact:
      break;
    case OpKind::kReopen:
      CHECK(false);
  }
  return operation;
}

Operation Drawer::DrawHugeOperation(sim::Rng& dice) const {
  Operation operation;
  operation.kind = OpKind::kPut;
  operation.durability = DrawDurability(dice);
  if (dice.Chance(1, 2)) {
    operation.key = keys_.Draw(dice);
    operation.value_bytes = DrawHugeValueBytes(dice);
    return operation;
  }
  operation.key = keys_.DrawHuge(dice);
  operation.value_bytes = DrawValueBytes(dice);
  return operation;
}

// With options drawn anew. Snapshots end with the handle.
Operation Drawer::Reopen() {
  Operation operation;
  operation.kind = OpKind::kReopen;
  operation.options = DrawOptions(engine_, rng_.Stream("reopen").Fork(next_id_));
  operation.abrupt = clients_ > 0 && rng_.Stream("abrupt").Fork(next_id_).Chance(1, 2);
  for (Ids& snapshots : snapshots_) snapshots.clear();
  return operation;
}

void Drawer::FillBatch(Operation& operation, sim::Rng& dice) const {
  const uint64_t items = dice.Chance(1, 16) ? dice.Between(9, 40) : dice.Between(1, 8);
  for (uint64_t i = 0; i < items; ++i) {
    BatchItem item{keys_.Draw(dice), std::nullopt};
    if (!dice.Chance(1, 4)) item.value_bytes = static_cast<uint32_t>(dice.Below(100));
    operation.batch.push_back(std::move(item));
  }
}

// Both bounds, one, or everything; one in eight that has both is left inverted if it was drawn so.
void Drawer::FillRange(Operation& operation, sim::Rng& dice) const {
  if (dice.Chance(2, 3)) operation.key = keys_.DrawNear(dice);
  if (dice.Chance(1, 2)) return;
  operation.to = keys_.DrawNear(dice);
  if (*operation.to < operation.key && !dice.Chance(1, 8)) std::swap(*operation.to, operation.key);
}

// First a place, then steps that mix both directions with more places.
void Drawer::FillMoves(Operation& operation, sim::Rng& dice) const {
  const uint64_t moves = dice.Between(1, 16);
  const uint64_t forward_percent = dice.Between(20, 80);
  for (uint64_t i = 0; i < moves; ++i) {
    CursorMove move{MoveKind::kNext, {}};
    if (i == 0 || dice.Chance(1, 6)) {
      constexpr MoveKind kPlaces[] = {MoveKind::kFirst, MoveKind::kLast, MoveKind::kSeek,
                                      MoveKind::kSeekForPrev};
      move.kind = kPlaces[dice.Below(std::size(kPlaces))];
    } else if (!dice.Chance(forward_percent, 100)) {
      move.kind = MoveKind::kPrev;
    }
    if (move.kind == MoveKind::kSeek || move.kind == MoveKind::kSeekForPrev) {
      move.key = keys_.DrawNear(dice);
    }
    operation.moves.push_back(std::move(move));
  }
}

void Drawer::TakeOrRelease(Operation& operation, sim::Rng& dice) {
  Ids& snapshots = Snapshots();
  const bool is_full = snapshots.size() == kSnapshotsAliveMax;
  if (!is_full && (snapshots.empty() || dice.Chance(2, 3))) {
    operation.kind = OpKind::kSnapshot;
    snapshots.push_back(next_id_);
    return;
  }
  const auto which = snapshots.begin() + static_cast<ptrdiff_t>(dice.Below(snapshots.size()));
  operation.kind = OpKind::kRelease;
  operation.snapshot = *which;
  snapshots.erase(which);
}

Durability Drawer::DrawDurability(sim::Rng& dice) const {
  return dice.Chance(sync_percent_, 100) ? Durability::kSynced : Durability::kUnsynced;
}

// Mostly now; otherwise half of the time at the newest snapshot, which has the best chance to be
// alive when a crash has come between.
uint32_t Drawer::DrawSnapshot(sim::Rng& dice) {
  const Ids& snapshots = Snapshots();
  if (snapshots.empty() || dice.Chance(2, 3)) return 0;
  if (dice.Chance(1, 2)) return snapshots.back();
  return snapshots[dice.Below(snapshots.size())];
}

}  // namespace

EngineOptions DrawOptions(const Engine& engine, const sim::Rng& rng) {
  EngineOptions options;
  for (const OptionChoices& option : engine.options) {
    sim::Rng dice = rng.Stream(option.name);
    const bool is_plain = dice.Chance(1, 2) && option.name != engine.format_option;
    const uint64_t drawn = dice.Below(option.choices.size());
    options.emplace(option.name, option.choices[is_plain ? 0 : drawn]);
  }
  return options;
}

std::vector<Operation> DrawWorkload(const Engine& engine, const WorkloadShape& shape,
                                    const sim::Rng& rng) {
  return Drawer(engine, shape, rng).Draw();
}

}  // namespace kiban::suites
