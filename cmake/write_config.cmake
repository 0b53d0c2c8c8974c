# SPDX-License-Identifier: MIT
# Run by CuctxConfig.cmake at every build: fills TEMPLATE into OUTPUT.

# cuctx_git(RET_TEXT RET_FAILED ARGUMENT...): what git says of the sources. The build runs what lies in them
# already, so that they may belong to somebody else (a checkout mounted into a container) is no reason to refuse.
function(cuctx_git ret_text ret_failed)
  execute_process(COMMAND "${GIT}" -c "safe.directory=${SOURCE_DIR}" --no-optional-locks ${ARGN}
    WORKING_DIRECTORY "${SOURCE_DIR}" OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_VARIABLE complaint RESULT_VARIABLE failed)
  if(failed)
    string(REGEX REPLACE "\n.*" "" text "${complaint}")
  endif()
  set(${ret_text} "${text}" PARENT_SCOPE)
  set(${ret_failed} "${failed}" PARENT_SCOPE)
endfunction()

set(CUCTX_GIT_COMMIT unknown)
set(why "")
find_program(GIT git)
if(NOT EXISTS "${SOURCE_DIR}/.git")
  set(why "the sources are no git checkout")
elseif(NOT GIT)
  set(why "git is not installed")
else()
  # Not `git describe --dirty`: it refreshes the index, and a build writes nothing outside its folder.
  cuctx_git(commit failed rev-parse HEAD)
  if(failed)
    set(why "git says \"${commit}\"")
  else()
    set(CUCTX_GIT_COMMIT "${commit}")
    cuctx_git(changes failed status --porcelain --untracked-files=no)
    if(changes)
      string(APPEND CUCTX_GIT_COMMIT "-dirty")
    endif()
  endif()
endif()
if(why)
  message(NOTICE "The commit of this build is unknown: ${why}. Results will not name it, "
    "and --resume cannot tell this program from another.")
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
