// For tests of the model: one client's life, told by an engine that keeps every promise unless the
// test says otherwise.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "models/kv_model.h"

namespace kiban::models {

inline std::string KindOf(const Judgement& judgement) {
  return judgement.has_value() ? judgement->kind : "allowed";
}

enum class Sync : uint8_t { kNo, kYes };

class TestLife {
 public:
  explicit TestLife(const KvModel::Options& options = KvModel::Options()) : model(options) {}

  KvModel::CallId Begin(std::vector<Mutation> mutations) {
    return model.Begin("op " + std::to_string(++operation_) + " write", std::move(mutations));
  }
  // Acknowledged at the next sequence, which is allowed.
  Sequence Write(std::vector<Mutation> mutations, Sync sync = Sync::kNo) {
    const Sequence first = next;
    next += mutations.size();
    const KvModel::CallId call = Begin(std::move(mutations));
    const Judgement judgement = model.Acknowledge(call, first, sync == Sync::kYes);
    EXPECT_EQ(KindOf(judgement), "allowed");
    return first;
  }
  Sequence Put(const std::string& key, const std::string& value, Sync sync = Sync::kNo) {
    return Write({{key, value}}, sync);
  }
  Sequence Delete(const std::string& key, Sync sync = Sync::kNo) {
    return Write({{key, std::nullopt}}, sync);
  }
  // In flight at the crash that follows.
  void WriteInFlight(std::vector<Mutation> mutations) { model.Fail(Begin(std::move(mutations))); }
  void SyncAll() { model.BarrierHeld(model.BeginBarrier()); }

  std::string Recover(Sequence last_sequence, const Contents& found) {
    last = model.Recovered(last_sequence, found);
    next = last_sequence + 1;
    return KindOf(last);
  }

  KvModel model;
  Sequence next = 1;
  Judgement last;

 private:
  int operation_ = 0;
};

}  // namespace kiban::models
