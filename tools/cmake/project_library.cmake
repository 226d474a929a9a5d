# project_library(NAME HDRS ... SRCS ... DEPS ...): a static library with the project's language
# level and warnings on the target itself; no global flags. project_flags() is shared with
# project_test(). The global property KIBAN_LIBRARIES lists them all.

set(KIBAN_SANITIZE "" CACHE STRING "Sanitizers for every target, as for -fsanitize=")

find_program(KIBAN_CCACHE ccache)
add_custom_target(libraries COMMENT "Every library, for the second compiler")

# Libraries of `dev` are built at -O1, tests and tools at -O0: a third of the compile time.
function(project_flags target dev_level)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  # Designated initializers leave fields out on purpose.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Werror
    -Wno-missing-field-initializers -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
  if(CMAKE_BUILD_TYPE STREQUAL "Dev")
    target_compile_options(${target} PRIVATE ${dev_level} -g1 -fno-omit-frame-pointer)
    target_compile_definitions(${target} PRIVATE KIBAN_EXPENSIVE_CHECKS)
  else()
    target_compile_options(${target} PRIVATE -O2 -g1)
  endif()
  if(KIBAN_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${KIBAN_SANITIZE} -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${KIBAN_SANITIZE})
  endif()
  if(KIBAN_CCACHE)
    # One cache for every clone: paths below the tree are hashed relative to it.
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      ${KIBAN_CCACHE})
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
  endif()
endfunction()

function(project_library name)
  cmake_parse_arguments(ARG "" "" "HDRS;SRCS;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SRCS} ${ARG_HDRS})
  project_flags(${name} -O1)
  target_link_libraries(${name} PUBLIC ${ARG_DEPS})
  add_dependencies(libraries ${name})
  set_property(GLOBAL APPEND PROPERTY KIBAN_LIBRARIES ${name})
endfunction()
