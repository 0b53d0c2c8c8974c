# SPDX-License-Identifier: MIT
# CUPTI's headers, which some packagings of the toolkit leave out or keep apart. They belong to its cuda.h: those of
# another toolkit do not do. Gives
#   CUCTX_TRACES             whether programs can be traced
#   cuctx::cupti_headers     cupti.h, and CUDA's with it
set(CUCTX_TRACES OFF)
set(cupti_dirs ${CUCTX_TOOLKIT_INCLUDE_DIRS})
foreach(dir ${CUCTX_TOOLKIT_INCLUDE_DIRS})
  list(APPEND cupti_dirs "${dir}/../extras/CUPTI/include")
endforeach()
foreach(dir ${cupti_dirs})
  if(EXISTS "${dir}/cupti.h" AND EXISTS "${dir}/generated_cuda_meta.h")
    set(CUCTX_TRACES ON)
    add_library(cuctx::cupti_headers INTERFACE IMPORTED)
    set_target_properties(cuctx::cupti_headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${dir}")
    target_link_libraries(cuctx::cupti_headers INTERFACE cuctx::cuda_headers)
    break()
  endif()
endforeach()
if(NOT CUCTX_TRACES)
  message(STATUS "No cuctx trace: the toolkit has no cupti.h; add its CUPTI package")
endif()
