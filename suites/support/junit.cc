#include "suites/support/junit.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_util.h"
#include "suites/support/sweep_text.h"

namespace kiban::suites {
namespace {

// Why the sweep as a whole is red; empty if it is not.
std::string SweepComplaint(const SweepResult& result) {
  if (!result.harness_error.empty()) return result.harness_error;
  if (result.floors_missed.empty()) return {};
  return absl::StrCat("floors missed: ", absl::StrJoin(result.floors_missed, ", "));
}

void AppendCase(std::string& xml, const std::string& suite, const std::string& name, double seconds,
                const std::string& message, const std::string& text) {
  absl::StrAppendFormat(&xml, "    <testcase classname=\"kiban.%s\" name=\"%s\" time=\"%.3f\"",
                        XmlEscaped(suite), XmlEscaped(name), seconds);
  if (message.empty()) {
    xml += "/>\n";
    return;
  }
  absl::StrAppend(&xml, ">\n      <failure message=\"", XmlEscaped(message), "\">",
                  XmlEscaped(text), "</failure>\n    </testcase>\n");
}

void AppendSuite(std::string& xml, const SweepResult& result) {
  const std::string suite(result.request.suite->name);
  const std::string complaint = SweepComplaint(result);
  const size_t failures = result.failures.size() + (complaint.empty() ? 0 : 1);
  absl::StrAppendFormat(&xml,
                        "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"0\" "
                        "skipped=\"0\" time=\"%.3f\">\n",
                        XmlEscaped(suite), result.failures.size() + 1, failures, result.seconds);
  AppendCase(xml, suite, absl::StrCat("sweep of ", result.tally.seeds, " seeds"), result.seconds,
             complaint, complaint);
  for (const FailureGroup& group : result.failures) {
    AppendCase(xml, suite, absl::StrCat("seed ", group.written.front().failure.seed), 0,
               group.signature, FailureText(result.request, group));
  }
  xml += "  </testsuite>\n";
}

}  // namespace

std::string JunitXml(std::span<const SweepResult> results) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const SweepResult& result : results) AppendSuite(xml, result);
  xml += "</testsuites>\n";
  return xml;
}

std::string XmlEscaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\n':
        escaped += "&#10;";
        break;
      case '\t':
        escaped += "&#9;";
        break;
      default:
        escaped += byte < 0x20 || byte >= 0x7f ? '?' : c;
    }
  }
  return escaped;
}

}  // namespace kiban::suites
