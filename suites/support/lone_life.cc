#include "suites/support/lone_life.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "suites/support/child_process.h"
#include "suites/support/last_words.h"
#include "suites/support/message.h"

namespace kiban::suites {
namespace {

// What a message is about.
constexpr char kTold = 't';
constexpr char kReport = 'r';

void LiveInChild(const Plan& plan, const LoneLifeOptions& options, int report_fd) {
  LifeOptions life;
  life.extra_syncs = options.extra_syncs;
  if (options.on_event) {
    life.on_event = [&](const sim::Told& told) {
      std::string message(1, kTold);
      AppendMessage(message, told);
      Report(report_fd, message);  // At once: the next event may be the last of this process.
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
  std::string message(1, kReport);
  AppendMessage(message, report);
  Report(report_fd, message);
}

// Takes all that has come whole; true once the report has.
bool TakeAll(std::string& received, const LoneLifeOptions& options, LifeReport& report) {
  while (!received.empty()) {
    std::string message = received.substr(1);
    if (received.front() == kReport) return TakeMessage(message, report);
    sim::Told told;
    if (!TakeMessage(message, told)) return false;
    if (options.on_event) options.on_event(told);
    received = std::move(message);
  }
  return false;
}

}  // namespace

LifeReport LiveAlone(const Plan& plan, const LoneLifeOptions& options) {
  CHECK(options.live != nullptr);
  ChildProcess child([&](int report_fd) {
    LiveInChild(plan, options, report_fd);
    return 0;
  });
  std::string received;
  LifeReport report;
  bool reported = false;
  const bool ran_away = child.ReceiveAll(options.seconds_max, received,
                                         [&] { reported = TakeAll(received, options, report); });
  const int wait_status = child.Wait();
  if (reported) return report;
  report = LifeReport{};
  report.verdict = Verdict::kCrashed;
  const std::string last_words = child.LastWords();
  report.complaint = ran_away ? "ran away" : ExplainDeath(wait_status, last_words).complaint;
  report.detail =
      ran_away ? absl::StrCat("still running after ", options.seconds_max, " seconds") : last_words;
  return report;
}

}  // namespace kiban::suites
