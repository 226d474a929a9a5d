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
  const bool broken = report.verdict == Verdict::kBroken;  // No replay may show it again.
  failure.case_text = CaseText(CaseOf(request.provenance, report), broken ? report.detail : "");
  return failure;
}

class Worker {
 public:
  Worker(const SweepRequest& request, SharedBoard& board, size_t index, int report_fd)
      : request_(request), board_(board), slot_(board.slot(index)), report_fd_(report_fd) {}

  // False if this process must not live any further.
  bool Do(const Job& job) {
    slot_.chunk.store(job.chunk);
    Piece piece;
    piece.chunk = job.chunk;
    bool sound = true;
    bool more = true;
    for (uint64_t seed = job.from; more; seed += job.step) {
      piece.through = seed;
      const bool is_dead = std::find(job.dead.begin(), job.dead.end(), seed) != job.dead.end();
      if (!is_dead) sound = Live(seed, piece);
      more = sound && seed < job.last && !piece.ends_sweep && !board_.ends_early().load();
    }
    piece.lived = lived_;
    piece.resident_bytes = ResidentBytes();
    std::string message;
    AppendMessage(message, piece);
    Report(report_fd_, message);
    ForgetWords();
    return sound && !board_.ends_early().load();
  }

 private:
  bool Live(uint64_t seed, Piece& piece) {
    const double began = MonotonicSeconds();
    const LifeReport report = LiveSeed(request_, seed, slot_);
    ++lived_;
    piece.tally.AddLife(seed, report, MonotonicSeconds() - began);
    if (report.schedule != 0) piece.schedules.push_back(report.schedule);
    if (IsRechecked(seed, request_.recheck_ppm)) ++piece.tally.rechecked;
    if (report.verdict != Verdict::kHeld) {
      piece.failures.push_back(FailureOf(request_, seed, report));
      piece.ends_sweep = request_.stop_at == StopAt::kFirstFailure;
    }
    return LeavesSoundProcess(report.verdict);
  }

  const SweepRequest& request_;
  SharedBoard& board_;
  SharedSlot& slot_;
  int report_fd_;
  uint64_t lived_ = 0;
};

}  // namespace

uint64_t ChunkCount(const SweepRequest& request) {
  const uint64_t seeds = request.shard.SeedsOf(request.seeds);
  return seeds / kChunkSeeds + (seeds % kChunkSeeds == 0 ? 0 : 1);
}

Job WholeChunk(const SweepRequest& request, uint64_t chunk) {
  const uint64_t first = chunk * kChunkSeeds;
  const uint64_t count = std::min(kChunkSeeds, request.shard.SeedsOf(request.seeds) - first);
  Job job;
  job.chunk = chunk;
  job.from = request.first_seed + request.shard.OffsetOf(first);
  job.last = request.first_seed + request.shard.OffsetOf(first + count - 1);
  job.step = request.shard.count;
  return job;
}

int Work(const SweepRequest& request, SharedBoard& board, size_t worker,
         const std::optional<Job>& first_job, int report_fd) {
  Worker self(request, board, worker, report_fd);
  if (first_job && !self.Do(*first_job)) return 0;
  const uint64_t chunks = ChunkCount(request);
  while (!board.ends_early().load()) {
    const uint64_t chunk = board.next_chunk().fetch_add(1);
    if (chunk >= chunks || !self.Do(WholeChunk(request, chunk))) break;
  }
  return 0;
}

}  // namespace kiban::suites
