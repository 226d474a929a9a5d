# Run at each build: writes OUTPUT anew only if the revision has changed, so that only what reads it
# is built again.
execute_process(
  COMMAND git describe --always --dirty --exclude=*
  WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT revision)
  set(revision unknown)
endif()
set(wanted "#pragma once\n#define KIBAN_REVISION \"${revision}\"\n")
set(found "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} found)
endif()
if(NOT found STREQUAL wanted)
  file(WRITE ${OUTPUT} "${wanted}")
endif()
