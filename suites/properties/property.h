// Runs one property over random cases and shrinks what fails. Cases come from RapidCheck; what a
// case means, and whether it held, is told by a function that throws nothing.
//
// RapidCheck reads RC_PARAMS; main.cc says what stands there by default. The seed is fixed, so a
// run repeats itself.
#pragma once

#include <rapidcheck.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kiban::suites {

inline constexpr int kCasesMin = 1000;

// Said of a case that cannot be asked: it counts as none, and another is drawn for it.
inline constexpr std::string_view kNotJudged = "not judged";

// What is wrong with a case; empty if it held; kNotJudged.
template <typename Case>
using WhyNot = std::function<std::string(const Case&)>;

// Remembers how the program was called, for the line that repeats a failure.
void RememberProgram(std::string_view path);

// The line that runs the present test on one failing case again, shrunk as far as it was.
std::string RepeatLine(const rc::detail::Reproduce& reproduce);

// Fails the present test if the property did not hold for `times` as many cases as RC_PARAMS says.
// True if it held for kCasesMin cases or more: then what they reached may be asked for, which of
// one repeated case it may not.
bool CheckHolds(const rc::detail::Property& property, int times);

// What RapidCheck is to call: with a case that it draws from `cases`, or a smaller one.
template <typename Case>
auto Asked(rc::Gen<Case> cases, WhyNot<Case> why_not) {
  return [cases = std::move(cases), why_not = std::move(why_not)] {
    const Case drawn = *cases;
    const std::string wrong = why_not(drawn);
    if (wrong == kNotJudged) RC_DISCARD(wrong);
    if (!wrong.empty()) RC_FAIL(wrong);
  };
}

// Cases so many times as large.
template <typename Case>
rc::Gen<Case> Larger(int times, rc::Gen<Case> cases) {
  return rc::gen::withSize([=](int size) { return rc::gen::resize(times * size, cases); });
}

template <typename Case>
bool Holds(const rc::Gen<Case>& cases, const WhyNot<Case>& why_not, int times = 1) {
  return CheckHolds(rc::detail::toProperty(Asked<Case>(cases, why_not)), times);
}

// Whether a property that is asked of `case_count` cases from `seed` fails, printing nothing.
bool FailsQuietly(const rc::detail::Property& property, uint64_t seed, int case_count);

// For bugs that are planted: the smallest case in which the bug shows, or nothing if it did not
// show in kCasesMin cases.
template <typename Case>
std::optional<Case> SmallestFailing(const rc::Gen<Case>& cases, const WhyNot<Case>& why_not,
                                    uint64_t seed = 1) {
  std::optional<Case> smallest;  // A smaller case is only looked at once the last one has failed.
  const WhyNot<Case> remembering = [&](const Case& drawn) {
    std::string wrong = why_not(drawn);
    if (!wrong.empty() && wrong != kNotJudged) smallest = drawn;
    return wrong;
  };
  const auto property = rc::detail::toProperty(Asked<Case>(cases, remembering));
  if (!FailsQuietly(property, seed, kCasesMin)) return std::nullopt;
  return smallest;
}

}  // namespace kiban::suites
