# SPDX-License-Identifier: MIT
# One static library per room. Include paths start at the repository root, so that every #include
# shows the room it reaches into; tests/static checks who may reach where.

include(CuctxConfig)

add_library(cuctx_options INTERFACE)
add_dependencies(cuctx_options cuctx_config)
target_include_directories(cuctx_options INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")
# CUCTX_SIMULATES: 1 where the build has the simulated device, else 0.
target_compile_definitions(cuctx_options INTERFACE _GNU_SOURCE CUCTX_SIMULATES=$<NOT:$<BOOL:${CUCTX_STATIC}>>)
target_compile_options(cuctx_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes
  $<$<BOOL:${CUCTX_WERROR}>:-Werror>)

# cuctx_room(NAME FILE...) makes the target cuctx_NAME.
function(cuctx_room name)
  add_library(cuctx_${name} STATIC ${ARGN})
  target_link_libraries(cuctx_${name} PUBLIC cuctx_options)
endfunction()
