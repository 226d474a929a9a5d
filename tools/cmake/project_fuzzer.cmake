# project_fuzzer(NAME SRCS ... DEPS ...): one libFuzzer program (preset `fuzz`; elsewhere it does
# nothing), run by CTest for ten seconds under the label `fuzz`. It says how many inputs it tried.

add_custom_target(fuzzers COMMENT "Every fuzzer")

function(project_fuzzer name)
  if(NOT KIBAN_SANITIZE MATCHES "fuzzer")
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SRCS})
  project_flags(${name} -O1)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE ${ARG_DEPS})
  add_dependencies(fuzzers ${name})
  # The lengths of inputs are not held back at first: a seed has to fit.
  add_test(NAME ${name}
    COMMAND ${name} -max_total_time=10 -timeout=5 -rss_limit_mb=1024 -max_len=4096 -len_control=0
      -verbosity=0 -print_final_stats=1)
  set_tests_properties(${name} PROPERTIES LABELS fuzz TIMEOUT 60)
endfunction()
