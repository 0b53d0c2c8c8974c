# SPDX-License-Identifier: MIT
# libcsv and libelf as the imported targets cuctx::csv and cuctx::elf.

function(cuctx_library name header library package)
  find_path(CUCTX_${name}_INCLUDE_DIR ${header})
  if(CUCTX_STATIC)
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
    set(kind STATIC)
  else()
    set(kind SHARED)
  endif()
  find_library(CUCTX_${name}_${kind}_LIBRARY ${library})
  if(NOT CUCTX_${name}_INCLUDE_DIR OR NOT CUCTX_${name}_${kind}_LIBRARY)
    message(FATAL_ERROR "${library} is missing: install ${package}, or run ./run_all.sh --install-deps")
  endif()
  add_library(cuctx::${name} UNKNOWN IMPORTED)
  set_target_properties(cuctx::${name} PROPERTIES
    IMPORTED_LOCATION "${CUCTX_${name}_${kind}_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${CUCTX_${name}_INCLUDE_DIR}")
endfunction()

cuctx_library(csv csv.h csv libcsv-dev)
cuctx_library(elf gelf.h elf libelf-dev)
if(CUCTX_STATIC)
  find_package(ZLIB REQUIRED)
  # Debian's libelf.a reads compressed sections through zlib; its static zlib comes with zlib1g-dev.
  find_library(CUCTX_ZLIB_STATIC_LIBRARY libz.a)
  set_property(TARGET cuctx::elf APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${CUCTX_ZLIB_STATIC_LIBRARY}")
endif()
