# SPDX-License-Identifier: MIT
# generated/cuctx_config.h: who this build is. Written at build time, since the commit may have moved
# since CMake last ran, and touched only when its text changes, so a commit rebuilds two files, not all.

set(config_arguments
  "-DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/cuctx_config.h.in"
  "-DOUTPUT=${PROJECT_BINARY_DIR}/generated/cuctx_config.h"
  "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
  "-DCUCTX_VERSION=${PROJECT_VERSION}"
  "-DCUCTX_TOOLKIT_VERSION=${CUCTX_TOOLKIT_VERSION}"
  "-DCUCTX_CUDART_DIR=${CUCTX_CUDART_DIR}")

add_custom_target(cuctx_config
  COMMAND "${CMAKE_COMMAND}" ${config_arguments} -P "${PROJECT_SOURCE_DIR}/cmake/write_config.cmake"
  BYPRODUCTS "${PROJECT_BINARY_DIR}/generated/cuctx_config.h"
  VERBATIM)
