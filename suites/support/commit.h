// Puts the results of chunks together in the order of the seeds, whatever order they arrive in, and
// says when a sweep is at its end.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "suites/support/results.h"
#include "suites/support/tally.h"
#include "suites/support/worker.h"

namespace kiban::suites {

class Commit {
 public:
  explicit Commit(const SweepRequest& request);

  void Add(const Piece& piece);
  // `failure.seed` of `chunk` killed its worker.
  void AddDead(uint64_t chunk, const Failure& failure);
  // What is left of `chunk`; nothing if all of it has arrived.
  std::optional<Job> Rest(uint64_t chunk) const;
  // What is left of the chunk that everything behind it waits for.
  std::optional<Job> Awaited() const { return Rest(next_); }
  // The sweep ends early: what has arrived counts, whatever is missing before it.
  void Settle();
  bool done() const;
  // All that was heard of, in whatever order: for the progress line alone.
  const Tally& arrived() const { return arrived_; }

  // What was committed; the cases are not written yet.
  void MoveTo(SweepResult& result);

 private:
  struct Chunk {
    Job rest;
    bool whole = false;
    bool ends_sweep = false;
    Tally tally;
    std::vector<Failure> failures;
    std::vector<uint64_t> schedules;
  };

  Chunk& Open(uint64_t chunk);
  void TakeFirst();
  void AddFailure(Failure failure);

  const SweepRequest& request_;
  uint64_t chunks_;
  uint64_t next_ = 0;  // The first chunk that is not committed.
  bool stopped_ = false;
  std::map<uint64_t, Chunk> pending_;
  Tally arrived_;
  Tally tally_;
  std::vector<FailureGroup> groups_;
  std::set<uint64_t> schedules_;
};

}  // namespace kiban::suites
