#include "suites/support/runner.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "suites/support/child_process.h"
#include "suites/support/commit.h"
#include "suites/support/host.h"
#include "suites/support/last_words.h"
#include "suites/support/message.h"
#include "suites/support/seed_life.h"
#include "suites/support/shared_slot.h"
#include "suites/support/shrink_cases.h"
#include "suites/support/whole_file.h"
#include "suites/support/worker.h"

namespace kiban::suites {
namespace {

using base::ToAbsl;

constexpr int kPollMsec = 100;
constexpr double kGapSecondsMax = 1;  // Between two looks at the clocks; ten times the usual.
constexpr double kSecondsToShowStack = 2;
constexpr uint64_t kSeedsBeforeFirstMemory = 1000;
// Workers that die between two lives cost nothing but themselves, unless that is all they do.
constexpr uint64_t kDeathsOutsideLivesMax = 10;

struct WorkerState {
  std::unique_ptr<ChildProcess> process;  // Null once it has left for good.
  std::string received;
  double ran_away_at_seconds = 0;  // 0: it did not.
  WorkerMemory memory;
};

// No more than there are chunks to be had.
size_t WorkerCount(const SweepRequest& request) {
  const uint64_t jobs = std::max(1u, request.jobs);
  return static_cast<size_t>(std::min(jobs, ChunkCount(request)));
}

class Sweep {
 public:
  Sweep(const SweepRequest& request, Progress* progress)
      : request_(request),
        progress_(progress),
        board_(WorkerCount(request)),
        workers_(WorkerCount(request)),
        commit_(request_) {}

  SweepResult Run() {
    const double began = MonotonicSeconds();
    const double cpu_began = CpuSecondsOfChildren();
    for (size_t i = 0; i < workers_.size(); ++i) Start(i, std::nullopt);
    while (!commit_.done() && harness_error_.empty() && AnyoneWorks()) {
      if (request_.ends_early && request_.ends_early()) board_.ends_early().store(true);
      Listen();
      WatchClocks();
      Tell(MonotonicSeconds() - began);
    }
    commit_.Settle();
    for (WorkerState& worker : workers_) Dismiss(worker);
    if (progress_ != nullptr) progress_->End();

    SweepResult result;
    result.request = request_;
    result.harness_error = harness_error_;
    commit_.MoveTo(result);
    JudgeFloors(result);
    result.memory = memory_;
    result.rate = std::move(rate_);
    result.seconds = MonotonicSeconds() - began;
    result.cpu_seconds = CpuSecondsOfChildren() - cpu_began;
    return result;
  }

 private:
  bool AnyoneWorks() const {
    return std::any_of(workers_.begin(), workers_.end(),
                       [](const WorkerState& worker) { return worker.process != nullptr; });
  }

  // Lives `first_job` first, if there is one.
  void Start(size_t index, const std::optional<Job>& first_job) {
    WorkerState& worker = workers_[index];
    worker = WorkerState{};
    SharedSlot& slot = board_.slot(index);
    slot.living.store(false);
    slot.chunk.store(first_job ? first_job->chunk : ChunkCount(request_));  // None yet.
    worker.process = std::make_unique<ChildProcess>([this, index, &first_job](int report_fd) {
      return Work(request_, board_, index, first_job, report_fd);
    });
  }

  // Waits for reports, and takes those that are there.
  void Listen() {
    std::vector<pollfd> polled;
    std::vector<size_t> indexes;
    for (size_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i].process == nullptr) continue;
      polled.push_back({workers_[i].process->report_fd(), POLLIN, 0});
      indexes.push_back(i);
    }
    poll(polled.data(), polled.size(), kPollMsec);
    for (size_t i = 0; i < polled.size(); ++i) {
      if (polled[i].revents != 0) Hear(indexes[i]);
    }
  }

  void Hear(size_t index) {
    WorkerState& worker = workers_[index];
    if (!worker.process->Receive(worker.received)) {
      Bury(index);
      return;
    }
    Piece piece;
    while (TakeMessage(worker.received, piece)) {
      NoteMemory(worker.memory, piece);
      commit_.Add(piece);
    }
  }

  void NoteMemory(WorkerMemory& memory, const Piece& piece) {
    if (memory.first_bytes == 0 || piece.lived <= kSeedsBeforeFirstMemory) {
      memory.first_bytes = piece.resident_bytes;
    }
    memory.last_bytes = piece.resident_bytes;
    memory.max_bytes = std::max(memory.max_bytes, piece.resident_bytes);
  }

  // The worker has ended: of its own will, after a stuck life, or by death, which costs the seed it
  // lived.
  void Bury(size_t index) {
    WorkerState& worker = workers_[index];
    SharedSlot& slot = board_.slot(index);
    const int wait_status = worker.process->Wait();
    const uint64_t chunk = slot.chunk.load();
    if (slot.living.load()) {
      commit_.AddDead(chunk, FailureOfDead(worker, slot, wait_status));
    } else if (wait_status != 0 && ++deaths_outside_lives_ > kDeathsOutsideLivesMax) {
      const Death death = ExplainDeath(wait_status, worker.process->LastWords());
      harness_error_ = absl::StrCat("workers keep dying outside lives: ", death.detail);
    }
    Dismiss(worker);
    if (!commit_.done() && !board_.ends_early().load()) Replace(index, chunk);
  }

  // A successor for a worker that ended with `chunk` in work.
  void Replace(size_t index, uint64_t chunk) {
    std::optional<Job> rest = commit_.Rest(chunk);
    const bool is_more = board_.next_chunk().load() < ChunkCount(request_);
    // One that died just after it had taken a chunk, and before it said so, took it with it.
    if (!rest.has_value() && !is_more && !AnyoneWorks()) rest = commit_.Awaited();
    if (rest.has_value() || is_more) Start(index, rest);
  }

  Failure FailureOfDead(const WorkerState& worker, const SharedSlot& slot, int wait_status) {
    Failure failure;
    failure.seed = slot.seed.load();
    const std::string last_words = worker.process->LastWords();
    Death death = ExplainDeath(wait_status, last_words);
    if (worker.ran_away_at_seconds > 0) {
      death.complaint = "ran away";
      death.detail = absl::StrCat("still running after ", request_.seed_seconds_max, " seconds");
    }
    LifeReport report = ReportOfDead(slot);
    report.complaint = std::move(death.complaint);
    report.detail = std::move(death.detail);
    if (!slot.plan.complete() || !slot.decisions.complete()) {
      report.verdict = Verdict::kCrashed;  // A plan was drawn; it was too long to be kept.
      report.detail += "; the case is incomplete: it did not fit into shared memory";
    }
    failure.verdict = report.verdict;
    failure.signature = report.Signature();
    failure.complaint = report.complaint;
    failure.detail = report.detail;
    failure.case_text = CaseText(CaseOf(request_.provenance, report), last_words);
    return failure;
  }

  // While this process was stopped (or its machine asleep), so were the lives: that time is not
  // theirs.
  void ForgiveGap(double now) {
    const double gap = now - last_watched_;
    last_watched_ = now;
    if (gap <= kGapSecondsMax) return;
    for (size_t i = 0; i < workers_.size(); ++i) {
      board_.slot(i).began_msec.fetch_add(static_cast<uint64_t>(gap * 1000));
      if (workers_[i].ran_away_at_seconds > 0) workers_[i].ran_away_at_seconds += gap;
    }
  }

  // A life that takes too long is aborted, so that its stack is seen, and killed if that does not
  // help.
  void WatchClocks() {
    const double now = MonotonicSeconds();
    ForgiveGap(now);
    for (size_t i = 0; i < workers_.size(); ++i) {
      WorkerState& worker = workers_[i];
      SharedSlot& slot = board_.slot(i);
      if (worker.process == nullptr || !slot.living.load()) continue;
      const double began = static_cast<double>(slot.began_msec.load()) / 1000;
      if (worker.ran_away_at_seconds > 0) {
        if (now - worker.ran_away_at_seconds > kSecondsToShowStack) worker.process->Signal(SIGKILL);
      } else if (now - began > request_.seed_seconds_max) {
        worker.ran_away_at_seconds = now;
        worker.process->Signal(SIGABRT);
      }
    }
  }

  void Tell(double seconds) {
    const Tally& arrived = commit_.arrived();
    rate_.Note(seconds, arrived.seeds);
    if (progress_ == nullptr) return;
    ProgressState state;
    state.suite = request_.suite->name;
    state.seeds = request_.shard.SeedsOf(request_.seeds);
    state.seeds_done = arrived.seeds;
    state.crashes = arrived.crashes();
    state.failures = arrived.failed();
    state.seconds = seconds;
    progress_->Show(state);
  }

  void Dismiss(WorkerState& worker) {
    memory_.Add(worker.memory);
    worker.process.reset();
  }

  const SweepRequest& request_;
  Progress* progress_;
  SharedBoard board_;
  std::vector<WorkerState> workers_;
  Commit commit_;
  WorkerMemory memory_;
  Rate rate_;
  double last_watched_ = MonotonicSeconds();
  uint64_t deaths_outside_lives_ = 0;
  std::string harness_error_;
};

void WriteCases(const SweepRequest& request, std::vector<FailureGroup>& groups) {
  for (FailureGroup& group : groups) {
    for (WrittenCase& written : group.written) {
      const Failure& failure = written.failure;
      const std::string path = absl::StrCat(request.artifacts, "/", ToAbsl(request.suite->name),
                                            "-", failure.seed, ".case");
      const absl::Status status = WriteWhole(path, failure.case_text);
      if (!status.ok()) {
        written.not_written = std::string(status.message());
        continue;
      }
      RemoveMinimal(path);
      written.path = path;
      written.command = ReplayCommand(request.provenance.program, path, failure.verdict);
    }
  }
}

}  // namespace

SweepResult RunSweep(const SweepRequest& request, Progress* progress) {
  CHECK(request.live != nullptr);
  CHECK(request.seeds > 0);
  CHECK(request.first_seed < UINT64_MAX - request.seeds);
  RaiseFileLimit();
  SweepResult result = Sweep(request, progress).Run();
  if (!result.failures.empty()) {
    const absl::Status made = MakeDirectories(request.artifacts);
    if (!made.ok()) result.harness_error = std::string(made.message());
    WriteCases(request, result.failures);
    if (request.shrink_seconds_max > 0) ShrinkFirstCases(request, progress, result.failures);
  }
  return result;
}

}  // namespace kiban::suites
