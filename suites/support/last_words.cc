#include "suites/support/last_words.h"

#include <string.h>
#include <sys/wait.h>

#include <array>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

using base::ToAbsl;

// How a line that explains a death is recognised, and how much of it is the same every time.
struct Phrase {
  std::string_view begins;
  std::string_view ends;  // The complaint stops before this; empty: at the end of the line.
  std::string_view prefix;
};
constexpr std::array kPhrases = {
    Phrase{"CHECK failed: ", "", ""},
    Phrase{"AddressSanitizer: ", " on ", ""},
    Phrase{"LeakSanitizer: ", "", ""},
    Phrase{"runtime error: ", ": ", "UndefinedBehaviorSanitizer: "},
    Phrase{"terminate called ", "", ""},
};

std::string_view LineAround(std::string_view text, size_t at) {
  const size_t before = text.rfind('\n', at);
  const size_t from = before == std::string_view::npos ? 0 : before + 1;
  const size_t to = text.find('\n', at);
  return text.substr(from, to == std::string_view::npos ? to : to - from);
}

std::string ComplaintOf(const Phrase& phrase, std::string_view said) {
  std::string_view rest = said.substr(phrase.prefix.empty() ? 0 : phrase.begins.size());
  if (!phrase.ends.empty()) rest = rest.substr(0, rest.find(phrase.ends));
  return absl::StrCat(ToAbsl(phrase.prefix), ToAbsl(rest));
}

std::string HowItEnded(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const char* const name = sigabbrev_np(WTERMSIG(wait_status));
    return absl::StrCat("SIG", name == nullptr ? "?" : name);
  }
  return absl::StrCat("exit status ", WEXITSTATUS(wait_status));
}

}  // namespace

Death ExplainDeath(int wait_status, std::string_view last_words) {
  for (const Phrase& phrase : kPhrases) {
    const size_t at = last_words.find(phrase.begins);
    if (at == std::string_view::npos) continue;
    const std::string_view line = LineAround(last_words, at);
    const std::string_view said = line.substr(line.find(phrase.begins));
    return {ComplaintOf(phrase, said), std::string(line)};
  }
  std::string complaint = HowItEnded(wait_status);
  std::string detail(last_words.substr(0, last_words.find('\n')));
  if (absl::StartsWith(detail, "fatal signal")) detail = "its stack stands at the end of the case";
  if (detail.empty()) detail = absl::StrCat("the process ended by ", complaint, " without a word");
  return {std::move(complaint), std::move(detail)};
}

}  // namespace kiban::suites
