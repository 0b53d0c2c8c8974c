# SPDX-License-Identifier: MIT
# libcsv, libelf and zlib as the imported targets cuctx::csv, cuctx::elf and cuctx::zlib; and cuctx::zstd, where there
# is libzstd.

# cuctx_find_library(NAME LIBRARY PACKAGE): sets CUCTX_<NAME>_<STATIC|SHARED>_LIBRARY, in the cache, and
# ret_path to it.
function(cuctx_find_library name library package ret_path)
  if(CUCTX_STATIC)
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
    set(kind STATIC)
  else()
    set(kind SHARED)
  endif()
  find_library(CUCTX_${name}_${kind}_LIBRARY ${library})
  mark_as_advanced(CUCTX_${name}_${kind}_LIBRARY)
  if(NOT CUCTX_${name}_${kind}_LIBRARY)
    message(FATAL_ERROR "lib${library} is missing: install ${package}, or run ./run_all.sh --install-deps")
  endif()
  set(${ret_path} "${CUCTX_${name}_${kind}_LIBRARY}" PARENT_SCOPE)
endfunction()

function(cuctx_library name header library package)
  find_path(CUCTX_${name}_INCLUDE_DIR ${header})
  mark_as_advanced(CUCTX_${name}_INCLUDE_DIR)
  if(NOT CUCTX_${name}_INCLUDE_DIR)
    message(FATAL_ERROR "${header} is missing: install ${package}, or run ./run_all.sh --install-deps")
  endif()
  cuctx_find_library(${name} ${library} ${package} path)
  add_library(cuctx::${name} UNKNOWN IMPORTED)
  set_target_properties(cuctx::${name} PROPERTIES
    IMPORTED_LOCATION "${path}"
    INTERFACE_INCLUDE_DIRECTORIES "${CUCTX_${name}_INCLUDE_DIR}")
endfunction()

cuctx_library(csv csv.h csv libcsv-dev)
cuctx_library(elf gelf.h elf libelf-dev)
cuctx_library(zlib zlib.h z zlib1g-dev)

# What has been built by CUDA 13 is compressed by it. All else works without.
find_path(CUCTX_zstd_INCLUDE_DIR zstd.h)
mark_as_advanced(CUCTX_zstd_INCLUDE_DIR)
if(CUCTX_zstd_INCLUDE_DIR)
  cuctx_library(zstd zstd.h zstd libzstd-dev)
else()
  message(STATUS "No libzstd: images that it has compressed cannot be looked into. libzstd-dev has it")
endif()

# A static libelf brings along what it uncompresses sections with: zlib, and from 0.189 on zstd, too.
if(CUCTX_STATIC)
  set(compression cuctx::zlib)
  file(STRINGS "${CUCTX_elf_STATIC_LIBRARY}" zstd_uses REGEX "ZSTD_" LIMIT_COUNT 1)
  if(zstd_uses)
    cuctx_find_library(zstd zstd libzstd-dev path)
    list(APPEND compression "${path}")
  endif()
  set_property(TARGET cuctx::elf PROPERTY INTERFACE_LINK_LIBRARIES "${compression}")
endif()
