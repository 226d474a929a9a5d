#include "suites/support/lone_life.h"

#include <cstdio>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "suites/support/child_process.h"
#include "suites/support/last_words.h"
#include "suites/support/message.h"

namespace kiban::suites {
namespace {

void LiveInChild(const Plan& plan, const LoneLifeOptions& options, int report_fd) {
  LifeOptions life;
  if (options.timeline) {
    life.on_event = [](std::string_view line) {
      std::printf("%.*s\n", static_cast<int>(line.size()), line.data());
      std::fflush(stdout);  // The next event may be the last of this process.
    };
  }
  absl::Status cut_status;
  if (options.on_cut) {
    life.on_cut = [&](uint32_t n, sim::CutMoment moment, const sim::Disk& disk) {
      if (cut_status.ok()) cut_status = options.on_cut(n, moment, disk);
    };
  }
  LifeReport report = options.live(plan, life);
  if (!cut_status.ok()) {
    report.verdict = Verdict::kBroken;
    report.complaint = "what a cut was to show was not kept";
    report.detail = std::string(cut_status.message());
  }
  std::string message;
  AppendMessage(message, report);
  Report(report_fd, message);
}

}  // namespace

LifeReport LiveAlone(const Plan& plan, const LoneLifeOptions& options) {
  CHECK(options.live != nullptr);
  ChildProcess child([&](int report_fd) {
    LiveInChild(plan, options, report_fd);
    return 0;
  });
  std::string received;
  const double no_limit = std::numeric_limits<double>::infinity();
  const bool ran_away =
      child.ReceiveAll(options.timeline ? no_limit : options.seconds_max, received);
  const int wait_status = child.Wait();
  LifeReport report;
  if (TakeMessage(received, report)) return report;
  report.verdict = Verdict::kCrashed;
  const std::string last_words = child.LastWords();
  report.complaint = ran_away ? "ran away" : ExplainDeath(wait_status, last_words).complaint;
  report.detail =
      ran_away ? absl::StrCat("still running after ", options.seconds_max, " seconds") : last_words;
  return report;
}

}  // namespace kiban::suites
