# SPDX-License-Identifier: MIT
# The CUDA toolkit: the machine's own (11.8 or later), else the one that `./run_all.sh --install-deps`
# unpacked into .deps/cuda. Gives
#   cuctx::cuda_headers      cuda.h, cudaTypedefs.h, driver_types.h, nvml.h
#   CUCTX_NVCC               the compiler driver; kernels are assembled with it as plain commands, since
#                            CMake's CUDA language insists on linking a host program first
#   CUCTX_TOOLKIT_VERSION    13.0.88
#   CUCTX_CUDART_DIR         where this toolkit keeps libcudart
#   CUCTX_ARCHITECTURES      90, or 80;90: CMAKE_CUDA_ARCHITECTURES, else the GPU at hand, else 90

set(CUCTX_TOOLKIT_MINIMUM 11.8)
set(CUCTX_DEPS_CUDA "${PROJECT_SOURCE_DIR}/.deps/cuda")

function(cuctx_nvcc_version nvcc ret_version)
  execute_process(COMMAND "${nvcc}" --version OUTPUT_VARIABLE text ERROR_QUIET)
  if(text MATCHES ", V([0-9]+\\.[0-9]+\\.[0-9]+)")
    set(${ret_version} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  else()
    set(${ret_version} "" PARENT_SCOPE)
  endif()
endfunction()

# The machine's toolkit wins, so that what is measured is what is used here.
find_package(CUDAToolkit ${CUCTX_TOOLKIT_MINIMUM} QUIET)
if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE AND NOT CUDAToolkit_VERSION VERSION_LESS CUCTX_TOOLKIT_MINIMUM)
  set(CUCTX_NVCC "${CUDAToolkit_NVCC_EXECUTABLE}")
  set(CUCTX_TOOLKIT_INCLUDE_DIRS ${CUDAToolkit_INCLUDE_DIRS})
  set(CUCTX_CUDART_DIR "${CUDAToolkit_LIBRARY_DIR}")
elseif(EXISTS "${CUCTX_DEPS_CUDA}/bin/nvcc")
  set(CUCTX_NVCC "${CUCTX_DEPS_CUDA}/bin/nvcc")
  set(CUCTX_TOOLKIT_INCLUDE_DIRS "${CUCTX_DEPS_CUDA}/include")
  set(CUCTX_CUDART_DIR "${CUCTX_DEPS_CUDA}/lib")
else()
  message(FATAL_ERROR "no CUDA toolkit ${CUCTX_TOOLKIT_MINIMUM} or later here: "
    "set CUDAToolkit_ROOT to one, or run ./run_all.sh --install-deps")
endif()

cuctx_nvcc_version("${CUCTX_NVCC}" CUCTX_TOOLKIT_VERSION)
if(NOT CUCTX_TOOLKIT_VERSION)
  message(FATAL_ERROR "${CUCTX_NVCC} --version says nothing: is it complete?")
endif()

# Several packagings of the toolkit leave NVML's header out, while the library comes with the driver.
find_path(CUCTX_NVML_INCLUDE_DIR nvml.h HINTS ${CUCTX_TOOLKIT_INCLUDE_DIRS} "${CUCTX_DEPS_CUDA}/include")
foreach(header cuda.h cudaTypedefs.h driver_types.h)
  find_file(CUCTX_HEADER_${header} ${header} PATHS ${CUCTX_TOOLKIT_INCLUDE_DIRS} NO_DEFAULT_PATH)
  mark_as_advanced(CUCTX_HEADER_${header})
  if(NOT CUCTX_HEADER_${header})
    message(FATAL_ERROR "the CUDA toolkit of ${CUCTX_NVCC} has no ${header}: "
      "complete it, or run ./run_all.sh --install-deps")
  endif()
endforeach()
if(NOT CUCTX_NVML_INCLUDE_DIR)
  message(FATAL_ERROR "nvml.h is missing: install the toolkit's NVML development files, "
    "or run ./run_all.sh --install-deps")
endif()

add_library(cuctx::cuda_headers INTERFACE IMPORTED)
set(include_dirs ${CUCTX_TOOLKIT_INCLUDE_DIRS} "${CUCTX_NVML_INCLUDE_DIR}")
list(REMOVE_DUPLICATES include_dirs)
set_target_properties(cuctx::cuda_headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${include_dirs}")

# "80;90" of the GPUs that nvidia-smi sees, "" without one.
function(cuctx_gpu_architectures ret_architectures)
  set(${ret_architectures} "" PARENT_SCOPE)
  find_program(CUCTX_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(CUCTX_NVIDIA_SMI)
  if(NOT CUCTX_NVIDIA_SMI)
    return()
  endif()
  execute_process(COMMAND "${CUCTX_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE failed TIMEOUT 30)
  if(NOT failed)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+" found "${text}")
    string(REPLACE "." "" found "${found}")
    list(REMOVE_DUPLICATES found)
    set(${ret_architectures} "${found}" PARENT_SCOPE)
  endif()
endfunction()

set(CUCTX_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
if(NOT CUCTX_ARCHITECTURES OR CUCTX_ARCHITECTURES STREQUAL "native")
  cuctx_gpu_architectures(CUCTX_ARCHITECTURES)
  if(NOT CUCTX_ARCHITECTURES)
    set(CUCTX_ARCHITECTURES 90)
  endif()
endif()
list(TRANSFORM CUCTX_ARCHITECTURES REPLACE "-real$" "")
list(REMOVE_DUPLICATES CUCTX_ARCHITECTURES)
foreach(architecture ${CUCTX_ARCHITECTURES})
  if(NOT architecture MATCHES "^[1-9][0-9]+$")
    message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES: \"${architecture}\" is not understood: "
      "use numbers such as 90 or 80;90")
  endif()
endforeach()

message(STATUS "CUDA toolkit ${CUCTX_TOOLKIT_VERSION} (${CUCTX_NVCC}), kernels for sm_${CUCTX_ARCHITECTURES}")
