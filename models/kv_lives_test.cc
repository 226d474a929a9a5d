// Goal:   over whole lives the model never complains of a store that keeps its promises, and always
//         of one that does not.
// Method: a store that is nothing but a list of writes lives random lives with crashes that take a
// random
//         legal suffix. Then the same lives once more, with one thing wrong after the last crash.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/hash.h"
#include "gtest/gtest.h"
#include "models/kv_model.h"

namespace kiban::models {
namespace {

class Dice {
 public:
  explicit Dice(uint64_t seed) : key_(base::Mix64(seed + 1)) {}
  uint64_t Below(uint64_t n) { return base::Mix64(key_ + ++drawn_ * 0x9e3779b97f4a7c15) % n; }

 private:
  uint64_t key_;
  uint64_t drawn_ = 0;
};

// All writes there are, oldest first; batches by their length.
class ListStore {
 public:
  ListStore(uint64_t seed, Witness witness)
      : witness_(witness), dice_(seed), model_({.witness = witness}) {}

  void Live(int operations) {
    for (int i = 0; i < operations; ++i) Operate();
  }

  // A crash, now and then a second one before the recovery is done, and a recovery from it. False:
  // the model complained.
  bool CrashAndRecover() {
    if (dice_.Below(2) == 0) WriteInFlight();
    Crash();
    if (dice_.Below(4) == 0) Crash();
    complaint_ = model_.Recovered(last(), Read());
    kept_ = batches_.size();
    skipped_ = dice_.Below(3);
    return !complaint_.has_value() && model_.Present() == Read();
  }

  // As CrashAndRecover(), but with one key wrong. Without a witness a key that is only missing may
  // be an older state, so it gets a value that it never had.
  Judgement RecoverWrongly() {
    Crash();
    Contents found = Read();
    const uint64_t which = dice_.Below(found.size() + 1);
    const auto victim = std::next(found.begin(), static_cast<ptrdiff_t>(which));
    if (victim == found.end()) {
      found["stranger"] = "?";
    } else if (witness_ == Witness::kSequences && dice_.Below(2) == 0) {
      found.erase(victim);
    } else {
      victim->second += "?";
    }
    return model_.Recovered(last(), found);
  }

  const Judgement& complaint() const { return complaint_; }

 private:
  struct Batch {
    Sequence first;
    std::vector<Mutation> mutations;
  };

  Sequence last() const {
    return batches_.empty() ? 0 : batches_.back().first + batches_.back().mutations.size() - 1;
  }

  Contents Read() const {
    Contents contents;
    for (const Batch& batch : batches_) {
      for (const Mutation& mutation : batch.mutations) {
        contents.erase(mutation.key);
        if (mutation.value.has_value()) contents[mutation.key] = *mutation.value;
      }
    }
    return contents;
  }

  Batch NextBatch() {
    Batch batch{last() + 1 + std::exchange(skipped_, 0), {}};
    const uint64_t count = dice_.Below(4) == 0 ? 1 + dice_.Below(4) : 1;
    for (uint64_t i = 0; i < count; ++i) {
      Mutation mutation{"k" + std::to_string(dice_.Below(8)), std::nullopt};
      if (dice_.Below(4) != 0) mutation.value = std::to_string(++values_);
      batch.mutations.push_back(std::move(mutation));
    }
    return batch;
  }

  void Operate() {
    if (dice_.Below(10) == 0) {
      model_.BarrierHeld(model_.BeginBarrier());
      synced_ = batches_.size();
      return;
    }
    Batch batch = NextBatch();
    const bool synced = dice_.Below(5) == 0;
    const KvModel::CallId call = model_.Begin("write", batch.mutations);
    ASSERT_FALSE(model_.Acknowledge(call, batch.first, synced).has_value());
    batches_.push_back(std::move(batch));
    if (synced) synced_ = batches_.size();
  }

  // Applied or not.
  void WriteInFlight() {
    Batch batch = NextBatch();
    model_.Fail(model_.Begin("in flight", batch.mutations));
    if (dice_.Below(2) == 0) batches_.push_back(std::move(batch));
  }

  void Crash() {
    if (dice_.Below(2) == 0) {
      model_.Killed();
      return;
    }
    model_.PowerCut();
    const size_t floor = std::max(synced_, kept_);
    batches_.resize(floor + dice_.Below(batches_.size() - floor + 1));
  }

  Witness witness_;
  Dice dice_;
  KvModel model_;
  std::vector<Batch> batches_;
  size_t synced_ = 0;
  size_t kept_ = 0;  // By the last recovery.
  Sequence skipped_ = 0;
  uint64_t values_ = 0;
  Judgement complaint_;
};

class KvLives : public testing::TestWithParam<Witness> {};

TEST_P(KvLives, OfAStoreThatKeepsItsPromisesAreAllowed) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    ListStore store(seed, GetParam());
    for (int crash = 0; crash < 5; ++crash) {
      store.Live(30);
      ASSERT_TRUE(store.CrashAndRecover())
          << seed << ": " << store.complaint()->kind << ": " << store.complaint()->detail;
    }
  }
}

TEST_P(KvLives, OfAStoreThatDoesNotAreFoundOut) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    ListStore store(seed, GetParam());
    store.Live(30);
    ASSERT_TRUE(store.CrashAndRecover());
    store.Live(30);
    ASSERT_TRUE(store.RecoverWrongly().has_value()) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Witnesses, KvLives,
                         testing::Values(Witness::kSequences, Witness::kCallOrder));

}  // namespace
}  // namespace kiban::models
