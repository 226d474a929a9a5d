#include "tools/test_export.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"

namespace kiban::tools {
namespace {

using base::ToAbsl;
using suites::Case;
using suites::Verdict;

constexpr const char* kTest =
    R"source(// Goal:   the life below $ending.
// Method: the case is read and lived once, as `kiban replay` does.
//
// Written by `kiban shrink --as-test`; link it with kiban_suites and GoogleTest.
#include <gtest/gtest.h>

#include "suites/support/case_file.h"
#include "suites/support/life.h"

namespace kiban::suites {
namespace {

// suites/support/case_file.cc has the grammar.
constexpr char kCase[] = R"$mark($case)$mark";

TEST($suiteCase, $name) {
  const absl::StatusOr<Case> c = ParseCaseFile(kCase);
  ASSERT_TRUE(c.ok()) << c.status();
  const LifeReport report = RunLife(c->plan, {});
  EXPECT_EQ(report.verdict, Verdict::$verdict)
      << Name(report.verdict) << ": " << report.complaint << ": " << report.detail;
  // A life that goes elsewhere than it did proves nothing: find the failure anew, or let it go.
  EXPECT_EQ(report.misfits, 0u) << "it no longer comes to: " << report.first_misfit;
}

}  // namespace
}  // namespace kiban::suites
)source";

// How a life ends that a test may expect.
struct Ending {
  std::string_view enumerator;
  std::string_view in_name;
  std::string_view in_words;
};

// Nothing, if the process had better not go on after such a life.
const Ending* EndingOf(Verdict verdict) {
  static constexpr Ending kHeld = {"kHeld", "Holds", "holds: all that it reads is allowed"};
  static constexpr Ending kViolated = {"kViolated", "IsViolated",
                                       "is violated, by the bug that it plants"};
  static constexpr Ending kUnavailable = {
      "kUnavailable", "IsUnavailable", "finds the engine unavailable, by the bug that it plants"};
  switch (verdict) {
    case Verdict::kHeld:
      return &kHeld;
    case Verdict::kViolated:
      return &kViolated;
    case Verdict::kUnavailable:
      return &kUnavailable;
    case Verdict::kCrashed:
    case Verdict::kStuck:
    case Verdict::kGaveUp:
    case Verdict::kBroken:
      return nullptr;
  }
  CHECK(false);
}

// "flush-loses_put" becomes FlushLosesPut: no underscores, which GoogleTest keeps for itself.
std::string CamelCase(std::string_view text) {
  std::string name;
  bool begins_word = true;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_part = byte < 0x80 && std::isalnum(byte) != 0;
    if (is_part) name += begins_word ? static_cast<char>(std::toupper(byte)) : c;
    begins_word = !is_part;
  }
  return name;
}

// Of the file: without its folder, its endings and the word that says what it is.
std::string NameOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
  name = name.substr(0, name.rfind('.'));
  return CamelCase(base::ToStd(absl::StripSuffix(ToAbsl(name), "_test")));
}

// What ends a raw string that holds `text`.
std::string MarkFor(const std::string& text) {
  std::string mark = "case";
  while (text.find(absl::StrCat(")", mark, "\"")) != text.npos) mark += 'e';
  return mark;
}

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n') || byte == 0x7f;
}

}  // namespace

absl::StatusOr<std::string> TestOf(const Case& c, const std::string& path) {
  // A patch is not in the tree that the test is for.
  const Verdict verdict = c.logic_plant.empty() ? c.expect : Verdict::kHeld;
  const Ending* const ending = EndingOf(verdict);
  if (ending == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("with its planted bug it is ", ToAbsl(Name(verdict)),
                     ", which the process of a test does not survive unharmed"));
  }
  Case kept = c;
  // Of the program that found it.
  kept.digest.clear();
  kept.build.clear();
  kept.revision.clear();
  const std::string text = suites::FormatCase(kept);
  if (std::any_of(text.begin(), text.end(), IsControl)) {
    return absl::InvalidArgumentError("it has control characters, which no source should have");
  }
  return absl::StrReplaceAll(kTest, {{"$ending", ToAbsl(ending->in_words)},
                                     {"$mark", MarkFor(text)},
                                     {"$case", text},
                                     {"$suite", CamelCase(c.plan.suite)},
                                     {"$name", absl::StrCat(NameOf(path), ToAbsl(ending->in_name))},
                                     {"$verdict", ToAbsl(ending->enumerator)}});
}

}  // namespace kiban::tools
