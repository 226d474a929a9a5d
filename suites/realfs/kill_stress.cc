// kill_stress: real files, a process with four writers and four readers, SIGKILL at random moments,
// round after round on one directory; a model in the parent judges what each process did and what
// the next one found. README.md says how.
//
// Exit status: 0 held, 1 violated, 2 bad usage or nothing proved.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "engine/posix/posix_env.h"
#include "engine/posix/temporary_dir.h"
#include "suites/realfs/stress_judge.h"
#include "suites/realfs/stress_process.h"

namespace kiban::suites {
namespace {

constexpr int kHeld = 0, kViolated = 1, kBroken = 2;
constexpr base::Ticks kLook = 200;           // From one look at the process to the next.
constexpr base::Ticks kStuck = 120'000'000;  // Nothing takes so long, on no disk.

struct Options {
  uint64_t seed = 1;
  uint32_t rounds = 200;
  std::string dir;
  StressJudge::Plant plant = StressJudge::Plant::kNone;
};

std::optional<Options> Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view flag = argv[i];
    if (i + 1 == argc) return std::nullopt;
    const std::string_view value = argv[i + 1];
    const bool is_good = flag == "--seed" ? absl::SimpleAtoi(base::ToAbsl(value), &options.seed)
                         : flag == "--rounds"
                             ? absl::SimpleAtoi(base::ToAbsl(value), &options.rounds) &&
                                   options.rounds > 0 && options.rounds <= kStressRoundsMax
                         : flag == "--plant" ? value == "drop-write"
                                             : flag == "--dir";
    if (!is_good) return std::nullopt;
    if (flag == "--plant") options.plant = StressJudge::Plant::kDropWrite;
    if (flag == "--dir") options.dir = value;
  }
  return options;
}

std::string EndOf(int status) {
  if (WIFSIGNALED(status)) return absl::StrCat("signal ", ::strsignal(WTERMSIG(status)));
  return absl::StrCat("exit status ", WEXITSTATUS(status));
}

class KillStress {
 public:
  KillStress(const Options& options, const Engine& engine, std::string dir)
      : options_(options),
        engine_(engine),
        dir_(std::move(dir)),
        plan_(options.seed, engine),
        judge_(plan_, engine, options.plant) {}

  // nullopt: held.
  models::Judgement Run() {
    for (uint32_t round = 0; round < options_.rounds; ++round) {
      if (models::Judgement wrong = Round(round)) {
        wrong->detail = absl::StrCat("round ", round, ": ", wrong->detail);
        return wrong;
      }
    }
    return std::nullopt;
  }

  const StressJudge::Counts& counts() const { return judge_.counts(); }

 private:
  models::Judgement Round(uint32_t round) {
    const StressEnd end = round + 1 == options_.rounds ? StressEnd::kClosed : StressEnd::kKilled;
    SharedLog log;
    const pid_t child = ::fork();
    CHECK(child >= 0);
    if (child == 0) RunStressProcess(engine_, plan_, round, end, dir_, log.round());
    const KillMoment moment = plan_.KillOf(round);
    const std::optional<int> status = end == StressEnd::kClosed
                                          ? AwaitEnd(child, nullptr, log.round())
                                          : AwaitEnd(child, &moment, log.round());
    if (!status.has_value()) {
      return models::Complaint{"stuck", absl::StrCat(log.round().writes.load(), " writes done")};
    }
    const bool as_planned = end == StressEnd::kClosed
                                ? WIFEXITED(*status) && WEXITSTATUS(*status) == 0
                                : WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL;
    if (!as_planned && !log.round().has_complaint.load()) {
      return models::Complaint{"crashed", EndOf(*status)};
    }
    return judge_.Judge(round, log.round());
  }

  // Kills the child when its moment has come, if it has one; its wait status. nullopt: it came to
  // no end and to no moment.
  std::optional<int> AwaitEnd(pid_t child, const KillMoment* moment, const RoundLog& log) {
    engine::Clock& clock = *machine_.env().clock;
    engine::Tasks& tasks = *machine_.env().tasks;
    const base::Ticks begin = clock.MonotonicNow();
    int status = 0;
    while (true) {
      const pid_t ended = ::waitpid(child, &status, WNOHANG);
      CHECK(ended >= 0);
      if (ended == child) return status;
      const base::Ticks now = clock.MonotonicNow();
      const bool is_stuck = now - begin > kStuck;
      if (is_stuck || (moment != nullptr && log.writes.load() >= moment->writes)) {
        if (!is_stuck) tasks.SleepUntil(now + moment->delay);
        CHECK(::kill(child, SIGKILL) == 0);  // A zombie at the least, until it is waited for.
        CHECK(::waitpid(child, &status, 0) == child);
        if (is_stuck) return std::nullopt;
        return status;
      }
      tasks.SleepUntil(now + kLook);
    }
  }

  const Options& options_;
  const Engine& engine_;
  const std::string dir_;
  posix::PosixEnv machine_{""};
  StressPlan plan_;
  StressJudge judge_;
};

// A run that met too little of what it is about has proved nothing.
bool HasProved(const StressJudge::Counts& counts, uint32_t rounds) {
  const bool is_long = rounds >= 50;
  return counts.recoveries >= rounds / 2 && counts.acknowledged >= uint64_t{rounds} * 20 &&
         counts.reads >= uint64_t{rounds} * 20 && counts.in_flight >= rounds / 2 &&
         (!is_long || (counts.kills_before > 0 && counts.promises > rounds));
}

int Run(const Options& options) {
  auto dir = posix::TemporaryDir::Make(options.dir);
  if (!dir.ok()) {
    std::fprintf(stderr, "kill_stress: %s\n", dir.status().ToString().c_str());
    return kBroken;
  }
  KillStress stress(options, *FindEngine("lsm"), dir->path());
  const models::Judgement judgement = stress.Run();
  const StressJudge::Counts& counts = stress.counts();
  std::printf("kill_stress: seed %lu, %u rounds on one directory\n", options.seed, options.rounds);
  std::printf("  recoveries read and judged  %8lu\n", counts.recoveries);
  std::printf("  killed before that          %8lu\n", counts.kills_before);
  std::printf("  mutations acknowledged      %8lu\n", counts.acknowledged);
  std::printf("  mutations in flight at kills%8lu\n", counts.in_flight);
  std::printf("  syncs, flushes, compactions %8lu\n", counts.promises);
  std::printf("  reads judged                %8lu\n", counts.reads);
  if (judgement.has_value()) {
    std::printf("VIOLATED  %s: %s\n", judgement->kind.c_str(), judgement->detail.c_str());
    if (options.plant == StressJudge::Plant::kNone) {
      std::printf("  files: %s\n", dir->Keep().c_str());
    }
    return kViolated;
  }
  if (!HasProved(counts, options.rounds)) {
    std::printf("BROKEN  too little happened to prove anything\n");
    return kBroken;
  }
  std::printf("HELD\n");
  return kHeld;
}

}  // namespace
}  // namespace kiban::suites

int main(int argc, char** argv) {
  const auto options = kiban::suites::Parse(argc, argv);
  if (options.has_value()) return kiban::suites::Run(*options);
  std::fputs("usage: kill_stress [--seed N] [--rounds N] [--dir DIR] [--plant drop-write]\n",
             stderr);
  return kiban::suites::kBroken;
}
