# SPDX-License-Identifier: MIT
# Run by CuctxConfig.cmake at every build: fills TEMPLATE into OUTPUT.

set(CUCTX_GIT_COMMIT unknown)
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE_DIR}/.git")
  # Not `git describe --dirty`: it refreshes the index, and a build writes nothing outside its folder.
  execute_process(COMMAND "${GIT}" --no-optional-locks rev-parse HEAD WORKING_DIRECTORY "${SOURCE_DIR}"
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  execute_process(COMMAND "${GIT}" --no-optional-locks status --porcelain --untracked-files=no
    WORKING_DIRECTORY "${SOURCE_DIR}" OUTPUT_VARIABLE changes ERROR_QUIET)
  if(NOT failed)
    set(CUCTX_GIT_COMMIT "${commit}")
    if(changes)
      string(APPEND CUCTX_GIT_COMMIT "-dirty")
    endif()
  endif()
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
