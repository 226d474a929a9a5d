#include "suites/support/worker.h"

#include <algorithm>
#include <string>

#include "suites/support/child_process.h"
#include "suites/support/host.h"
#include "suites/support/message.h"
#include "suites/support/seed_life.h"
#include "suites/support/tally.h"

namespace kiban::suites {
namespace {

Failure FailureOf(const SweepRequest& request, uint64_t seed, const LifeReport& report) {
  Failure failure;
  failure.seed = seed;
  failure.verdict = report.verdict;
  failure.signature = report.Signature();
  failure.complaint = report.complaint;
  failure.detail = report.detail;
  failure.digest = report.digest.Text();
  failure.case_text = CaseText(CaseOf(request.provenance, report), "");
  return failure;
}

class Worker {
 public:
  Worker(const SweepRequest& request, SharedSlot& slot, int report_fd)
      : request_(request), slot_(slot), report_fd_(report_fd) {}

  // False if this process must not live any further.
  bool Do(const Job& job) {
    slot_.chunk.store(job.chunk);
    Piece piece;
    piece.chunk = job.chunk;
    bool sound = true;
    for (uint64_t seed = job.from; sound && seed <= job.last && !piece.ends_sweep; ++seed) {
      piece.through = seed;
      const bool is_dead = std::find(job.dead.begin(), job.dead.end(), seed) != job.dead.end();
      if (!is_dead) sound = Live(seed, piece);
    }
    piece.lived = lived_;
    piece.resident_bytes = ResidentBytes();
    std::string message;
    AppendMessage(message, piece);
    Report(report_fd_, message);
    ForgetWords();
    return sound;
  }

 private:
  bool Live(uint64_t seed, Piece& piece) {
    const double began = MonotonicSeconds();
    const LifeReport report = LiveSeed(request_, seed, slot_);
    ++lived_;
    piece.tally.AddLife(seed, report, MonotonicSeconds() - began);
    if (IsRechecked(seed, request_.recheck_ppm)) ++piece.tally.rechecked;
    if (report.verdict != Verdict::kHeld) {
      piece.failures.push_back(FailureOf(request_, seed, report));
      piece.ends_sweep = request_.stop_at == StopAt::kFirstFailure;
    }
    return LeavesSoundProcess(report.verdict);
  }

  const SweepRequest& request_;
  SharedSlot& slot_;
  int report_fd_;
  uint64_t lived_ = 0;
};

}  // namespace

uint64_t ChunkCount(const SweepRequest& request) {
  return request.seeds / kChunkSeeds + (request.seeds % kChunkSeeds == 0 ? 0 : 1);
}

Job WholeChunk(const SweepRequest& request, uint64_t chunk) {
  const uint64_t first = chunk * kChunkSeeds;
  const uint64_t count = std::min(kChunkSeeds, request.seeds - first);
  Job job;
  job.chunk = chunk;
  job.from = request.first_seed + first;
  job.last = job.from + (count - 1);
  return job;
}

int Work(const SweepRequest& request, SharedBoard& board, size_t worker,
         const std::optional<Job>& first_job, int report_fd) {
  Worker self(request, board.slot(worker), report_fd);
  if (first_job && !self.Do(*first_job)) return 0;
  const uint64_t chunks = ChunkCount(request);
  while (true) {
    const uint64_t chunk = board.next_chunk().fetch_add(1);
    if (chunk >= chunks || !self.Do(WholeChunk(request, chunk))) return 0;
  }
}

}  // namespace kiban::suites
