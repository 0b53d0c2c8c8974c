# SPDX-License-Identifier: MIT
# The CUDA toolkit: the machine's own (11.8 or later), else the one that `./run_all.sh --install-deps`
# unpacked into .deps/cuda. Gives
#   cuctx::cuda_headers      cuda.h, cudaTypedefs.h, driver_types.h, nvml.h
#   CUCTX_PTXAS              the assembler. Of the compiler, only this and the next two are used: neither
#                            nvcc, which refuses host compilers it does not know, nor CMake's CUDA
#                            language, which links a host program first
#   CUCTX_FATBINARY          packs modules into fat binaries
#   CUCTX_NVLINK             links modules with the device runtime, CUCTX_CUDADEVRT. Both are empty where
#                            this toolkit has no device runtime, or only the first one, which is not for
#                            all GPUs
#   CUCTX_TOOLKIT_VERSION    13.0.88
#   CUCTX_CUDART_DIR         where this toolkit keeps libcudart
#   CUCTX_ARCHITECTURES      90, or 80;90: CMAKE_CUDA_ARCHITECTURES, else the GPU at hand, else 90

set(CUCTX_TOOLKIT_MINIMUM 11.8)
set(CUCTX_DEPS_CUDA "${PROJECT_SOURCE_DIR}/.deps/cuda")

# The machine's toolkit wins, so that what is measured is what is used here.
find_package(CUDAToolkit ${CUCTX_TOOLKIT_MINIMUM} QUIET)
if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE AND NOT CUDAToolkit_VERSION VERSION_LESS CUCTX_TOOLKIT_MINIMUM)
  set(home "${CUDAToolkit_BIN_DIR}")
  set(CUCTX_TOOLKIT_INCLUDE_DIRS ${CUDAToolkit_INCLUDE_DIRS})
  set(CUCTX_CUDART_DIR "${CUDAToolkit_LIBRARY_DIR}")
elseif(EXISTS "${CUCTX_DEPS_CUDA}/bin/ptxas")
  set(home "${CUCTX_DEPS_CUDA}/bin")
  set(CUCTX_TOOLKIT_INCLUDE_DIRS "${CUCTX_DEPS_CUDA}/include")
  set(CUCTX_CUDART_DIR "${CUCTX_DEPS_CUDA}/lib")
else()
  message(FATAL_ERROR "no CUDA toolkit ${CUCTX_TOOLKIT_MINIMUM} or later here: "
    "set CUDAToolkit_ROOT to one, or run ./run_all.sh --install-deps")
endif()

# Looked for anew each time, since the toolkit may be another one than last time. Debian keeps them apart.
foreach(program ptxas fatbinary nvlink)
  string(TOUPPER "CUCTX_${program}" variable)
  unset(${variable} CACHE)
  find_program(${variable} ${program} PATHS "${home}" /usr/lib/nvidia-cuda-toolkit/bin NO_DEFAULT_PATH)
  mark_as_advanced(${variable})
endforeach()
if(CUCTX_PTXAS AND CUCTX_FATBINARY)
  execute_process(COMMAND "${CUCTX_PTXAS}" --version OUTPUT_VARIABLE text ERROR_QUIET)
endif()
if(NOT text MATCHES ", V([0-9]+\\.[0-9]+\\.[0-9]+)")
  message(FATAL_ERROR "the CUDA toolkit in ${home} has no working ptxas and fatbinary: complete it, set CUDAToolkit_ROOT to "
    "another one, or run ./run_all.sh --install-deps")
endif()
set(CUCTX_TOOLKIT_VERSION "${CMAKE_MATCH_1}")

# cuctx_header_dir(HEADER DIR...): the first of the folders that has it, else an error.
function(cuctx_header_dir header ret_dir)
  foreach(dir ${ARGN})
    if(EXISTS "${dir}/${header}")
      set(${ret_dir} "${dir}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${header} is missing from the CUDA toolkit in ${home}: complete it, or run "
    "./run_all.sh --install-deps")
endfunction()

foreach(header cuda.h cudaTypedefs.h driver_types.h)
  cuctx_header_dir(${header} dir ${CUCTX_TOOLKIT_INCLUDE_DIRS})
endforeach()
# Several packagings of the toolkit leave NVML's header out, while the library comes with the driver.
cuctx_header_dir(nvml.h nvml_dir ${CUCTX_TOOLKIT_INCLUDE_DIRS} /usr/include "${CUCTX_DEPS_CUDA}/include")

unset(CUCTX_CUDADEVRT CACHE)
find_library(CUCTX_CUDADEVRT libcudadevrt.a PATHS "${CUCTX_CUDART_DIR}" NO_DEFAULT_PATH)
mark_as_advanced(CUCTX_CUDADEVRT)
set(device_launch "")
foreach(dir ${CUCTX_TOOLKIT_INCLUDE_DIRS})
  if(EXISTS "${dir}/cuda_device_runtime_api.h")
    file(STRINGS "${dir}/cuda_device_runtime_api.h" device_launch REGEX "__cudaCDP2LaunchDeviceV2" LIMIT_COUNT 1)
    break()
  endif()
endforeach()
if(NOT CUCTX_NVLINK OR NOT CUCTX_CUDADEVRT OR NOT device_launch)
  set(CUCTX_NVLINK "")
  set(CUCTX_CUDADEVRT "")
  message(STATUS "No modules that launch kernels: ${home} has no nvlink and libcudadevrt.a of CUDA 12 or later")
endif()

add_library(cuctx::cuda_headers INTERFACE IMPORTED)
set(include_dirs ${CUCTX_TOOLKIT_INCLUDE_DIRS} "${nvml_dir}")
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

message(STATUS "CUDA toolkit ${CUCTX_TOOLKIT_VERSION} (${home}), kernels for sm_${CUCTX_ARCHITECTURES}")
