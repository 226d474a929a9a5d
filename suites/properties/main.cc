// Tells RapidCheck the seed and the number of cases, unless RC_PARAMS is given: then it stands for
// all of them, and a seed that it does not name is another one in each run (and is printed).
#include <gtest/gtest.h>

#include <cstdlib>

#include "suites/properties/property.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  kiban::suites::RememberProgram(argv[0]);
  setenv("RC_PARAMS", "seed=1 max_success=1000", /*overwrite=*/0);
  return RUN_ALL_TESTS();
}
