# project_test(NAME SRCS ... DEPS ... [LABEL L] [TIMEOUT S]): one GoogleTest program, built from
# sources (never through a library, from which the linker drops what nobody refers to), each of its
# tests a CTest with one label. Without KIBAN_TESTS (preset `release`) it does nothing.

find_package(GTest REQUIRED)
include(GoogleTest)

option(KIBAN_TESTS "Build the test programs" ON)

function(project_test name)
  if(NOT KIBAN_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SRCS;DEPS" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SRCS})
  project_flags(${name} -O0)
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT}
      ENVIRONMENT "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tools/tsan.supp")
endfunction()
