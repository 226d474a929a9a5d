#include "suites/support/commit.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace kiban::suites {

Commit::Commit(const SweepRequest& request) : request_(request), chunks_(ChunkCount(request)) {}

Commit::Chunk& Commit::Open(uint64_t chunk) {
  CHECK(chunk >= next_);
  const auto [it, is_new] = pending_.try_emplace(chunk);
  if (is_new) it->second.rest = WholeChunk(request_, chunk);
  return it->second;
}

void Commit::Add(const Piece& piece) {
  if (done()) return;
  arrived_ += piece.tally;
  Chunk& chunk = Open(piece.chunk);
  chunk.tally += piece.tally;
  chunk.failures.insert(chunk.failures.end(), piece.failures.begin(), piece.failures.end());
  chunk.schedules.insert(chunk.schedules.end(), piece.schedules.begin(), piece.schedules.end());
  chunk.ends_sweep = chunk.ends_sweep || piece.ends_sweep;
  chunk.whole = piece.ends_sweep || piece.through == chunk.rest.last;
  chunk.rest.from = piece.through + chunk.rest.step;
  while (!done() && pending_.contains(next_) && pending_.at(next_).whole) TakeFirst();
}

void Commit::AddDead(uint64_t chunk_index, const Failure& failure) {
  if (done()) return;
  Chunk& chunk = Open(chunk_index);
  arrived_.AddDead(failure.seed, failure.verdict);
  chunk.tally.AddDead(failure.seed, failure.verdict);
  chunk.failures.push_back(failure);
  chunk.rest.dead.push_back(failure.seed);
  if (request_.stop_at == StopAt::kFirstFailure) {
    chunk.rest.last = failure.seed;  // What lies before it is still to be heard of.
    chunk.ends_sweep = true;
  }
}

std::optional<Job> Commit::Rest(uint64_t chunk) const {
  const auto it = pending_.find(chunk);
  if (chunk < next_ || chunk >= chunks_ || (it != pending_.end() && it->second.whole))
    return std::nullopt;
  return it == pending_.end() ? WholeChunk(request_, chunk) : it->second.rest;
}

bool Commit::done() const { return stopped_ || next_ == chunks_; }

void Commit::Settle() {
  while (!done() && !pending_.empty()) TakeFirst();
}

void Commit::TakeFirst() {
  const auto first = pending_.begin();
  Chunk chunk = std::move(first->second);
  next_ = first->first + 1;
  pending_.erase(first);
  tally_ += chunk.tally;
  schedules_.insert(chunk.schedules.begin(), chunk.schedules.end());
  std::sort(chunk.failures.begin(), chunk.failures.end(),
            [](const Failure& a, const Failure& b) { return a.seed < b.seed; });
  for (Failure& failure : chunk.failures) AddFailure(std::move(failure));
  const bool tenth =
      request_.stop_at == StopAt::kTenthSignature && groups_.size() >= kSignaturesMax;
  stopped_ = chunk.ends_sweep || tenth;
}

void Commit::AddFailure(Failure failure) {
  auto it = std::find_if(groups_.begin(), groups_.end(), [&](const FailureGroup& group) {
    return group.signature == failure.signature;
  });
  if (it == groups_.end()) {
    it = groups_.emplace(groups_.end());
    it->signature = failure.signature;
  }
  ++it->count;
  if (it->written.size() >= kCasesPerSignatureMax) return;
  it->written.emplace_back().failure = std::move(failure);
}

void Commit::MoveTo(SweepResult& result) {
  result.tally = std::move(tally_);
  result.failures = std::move(groups_);
  result.complete = result.tally.seeds == request_.shard.SeedsOf(request_.seeds);
  result.distinct_schedules = schedules_.size();
}

}  // namespace kiban::suites
