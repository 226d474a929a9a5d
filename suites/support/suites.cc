#include "suites/concurrent/concurrent_suite.h"
#include "suites/crash/crash_suite.h"
#include "suites/model/model_suite.h"
#include "suites/support/suite.h"

namespace kiban::suites {

const std::vector<Suite>& Suites() {
  static const std::vector<Suite> suites = {
      {.name = "crash",
       .question =
           "Does one client's data survive four crashes anywhere, and crashes of recoveries?",
       .is_long = true,
       .crashes = true,
       .generate = GenerateCrashLife,
       .generate_short = GenerateShortCrashLife},
      {.name = "concurrent",
       .question = "Do many clients of one database, under any schedule, agree with one order that "
                   "survives?",
       .is_long = true,
       .crashes = true,
       .shares = true,
       .generate = GenerateConcurrentLife,
       .generate_short = GenerateShortConcurrentLife},
      {.name = "model",
       .question = "Without faults: does the whole interface do what an ordered map would?",
       .generate = GenerateModelLife},
  };
  return suites;
}

const Suite* FindSuite(std::string_view name) {
  for (const Suite& suite : Suites()) {
    if (suite.name == name) return &suite;
  }
  return nullptr;
}

}  // namespace kiban::suites
