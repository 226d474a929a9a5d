#include "suites/properties/property.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "rapidcheck/detail/Configuration.h"
#include "rapidcheck/detail/TestListenerAdapter.h"

namespace kiban::suites {
namespace {

std::string& Program() {
  static std::string program = "properties_test";
  return program;
}

std::string NameOfTest(std::string_view between) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  return std::string(test.test_suite_name()).append(between).append(test.name());
}

}  // namespace

void RememberProgram(std::string_view path) { Program() = path; }

std::string RepeatLine(const rc::detail::Reproduce& reproduce) {
  rc::detail::Configuration configuration;
  configuration.reproduce.emplace(NameOfTest("/"), reproduce);
  return "RC_PARAMS=\"" + rc::detail::configToMinimalString(configuration) + "\" " + Program() +
         " --gtest_filter=" + NameOfTest(".");
}

bool CheckHolds(const rc::detail::Property& property, int times) {
  const rc::detail::Configuration& configuration = rc::detail::configuration();
  const rc::detail::TestMetadata metadata{.id = NameOfTest("/"), .description = NameOfTest(".")};
  rc::detail::TestParams params = configuration.testParams;
  params.maxSuccess *= times;
  rc::detail::TestListenerAdapter silent;
  const rc::detail::TestResult result =
      rc::detail::checkProperty(property, metadata, params, silent, configuration.reproduce);
  rc::detail::SuccessResult success;
  if (result.match(success)) {
    std::printf("counted  %s: %d cases\n", NameOfTest(".").c_str(), success.numSuccess);
    return success.numSuccess >= kCasesMin;
  }
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  rc::detail::FailureResult failure;
  if (result.match(failure)) text << "\n\nrepeat: " << RepeatLine(failure.reproduce);
  ADD_FAILURE() << text.str();
  return false;
}

bool FailsQuietly(const rc::detail::Property& property, uint64_t seed, int case_count) {
  rc::detail::TestParams params;
  params.seed = seed;
  params.maxSuccess = case_count;
  rc::detail::TestListenerAdapter silent;
  const rc::detail::TestResult result = rc::detail::checkProperty(property, {}, params, silent, {});
  return result.is<rc::detail::FailureResult>();
}

}  // namespace kiban::suites
