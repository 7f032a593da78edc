# The CUDA backend: whether it is built (MIMUS_HAS_CUDA), for which architectures, and with which of
# cuDNN and NCCL (MIMUS_HAS_CUDNN, MIMUS_HAS_NCCL). Nothing here is needed to run Mimus; see
# slurm/README.md for how sites provide it.
set(MIMUS_HAS_CUDA OFF)
set(MIMUS_HAS_NCCL OFF)
set(MIMUS_HAS_CUDNN OFF)
if(NOT MIMUS_WITH_CUDA MATCHES "^(AUTO|ON|OFF)$" OR NOT MIMUS_WITH_NCCL MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "MIMUS_WITH_CUDA=\"${MIMUS_WITH_CUDA}\", "
                      "MIMUS_WITH_NCCL=\"${MIMUS_WITH_NCCL}\": allowed are AUTO, ON, OFF")
endif()
if(MIMUS_WITH_CUDA STREQUAL "OFF")
  if(MIMUS_WITH_NCCL STREQUAL "ON")
    message(FATAL_ERROR "MIMUS_WITH_NCCL=ON needs MIMUS_WITH_CUDA=ON: NCCL reduces on CUDA devices")
  endif()
  set(MIMUS_CUDA_SUMMARY "left out (MIMUS_WITH_CUDA=OFF)")
  return()
endif()

set(mimus_oldest_toolkit 12.0)
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  if(MIMUS_WITH_CUDA STREQUAL "ON")
    message(FATAL_ERROR "MIMUS_WITH_CUDA=ON, but there is no CUDA compiler: put nvcc into PATH or "
                        "name it with -DCMAKE_CUDA_COMPILER=.../bin/nvcc")
  endif()
  set(MIMUS_CUDA_SUMMARY "left out (no nvcc found)")
  return()
endif()

if(MIMUS_CCACHE AND NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${MIMUS_CCACHE}")
endif()
# CMake's own choice of architectures needs one before the compiler's version is known.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(mimus_choose_architectures ON)
  set(CMAKE_CUDA_ARCHITECTURES 80)
endif()
enable_language(CUDA)
# CMake 3.25 does not know how to ask newer versions of nvcc for C++20.
foreach(dialect IN ITEMS STANDARD EXTENSION)
  if(NOT CMAKE_CUDA20_${dialect}_COMPILE_OPTION)
    set(CMAKE_CUDA20_${dialect}_COMPILE_OPTION -std=c++20)
  endif()
endforeach()
set(CMAKE_CUDA_STANDARD 20)
find_package(CUDAToolkit ${mimus_oldest_toolkit} QUIET)
if(NOT CUDAToolkit_FOUND)
  if(MIMUS_WITH_CUDA STREQUAL "ON")
    message(FATAL_ERROR
      "MIMUS_WITH_CUDA=ON needs the CUDA toolkit ${mimus_oldest_toolkit} or newer, and "
      "${CMAKE_CUDA_COMPILER} is of ${CMAKE_CUDA_COMPILER_VERSION}: name another nvcc with "
      "-DCMAKE_CUDA_COMPILER, or leave CUDA out with -DMIMUS_WITH_CUDA=OFF")
  endif()
  set(MIMUS_CUDA_SUMMARY "left out (needs the CUDA toolkit ${mimus_oldest_toolkit} or newer; nvcc is \
of ${CMAKE_CUDA_COMPILER_VERSION})")
  return()
endif()
# Packages of single parts may have come without these.
set(mimus_missing_parts "")
if(NOT TARGET CUDA::cublasLt)
  list(APPEND mimus_missing_parts cuBLASLt)
endif()
if(NOT CUDAToolkit_CUPTI_INCLUDE_DIR)
  list(APPEND mimus_missing_parts "CUPTI's headers")
endif()
if(mimus_missing_parts)
  list(JOIN mimus_missing_parts " and " mimus_missing_parts)
  if(MIMUS_WITH_CUDA STREQUAL "ON")
    message(FATAL_ERROR "MIMUS_WITH_CUDA=ON, but the CUDA toolkit in ${CUDAToolkit_BIN_DIR} has no "
                        "${mimus_missing_parts}: install that part of it, too")
  endif()
  set(MIMUS_CUDA_SUMMARY "left out (the CUDA toolkit in ${CUDAToolkit_BIN_DIR} has no \
${mimus_missing_parts})")
  return()
endif()
# Volta to Hopper as machine code, and newer devices through PTX of the last one. CUDA 13 no longer
# compiles for Volta (70).
if(mimus_choose_architectures)
  set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13)
    list(PREPEND CMAKE_CUDA_ARCHITECTURES 70-real)
  endif()
endif()

# mimus_library_found(<result> <name> <oldest>): what to say of a library that was looked for.
function(mimus_library_found result name oldest)
  string(TOUPPER ${name} package)
  if(${package}_FOUND)
    set(text "${name} ${${package}_VERSION}")
  elseif(${package}_LIBRARY AND ${package}_INCLUDE_DIR)
    set(text "no ${name} (needs ${oldest} or newer; ${${package}_INCLUDE_DIR} has \
${${package}_VERSION})")
  else()
    set(text "no ${name}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

find_package(CUDNN 9 QUIET)
set(MIMUS_HAS_CUDNN ${CUDNN_FOUND})
mimus_library_found(mimus_cudnn cuDNN 9)
set(mimus_nccl "no NCCL (MIMUS_WITH_NCCL=OFF)")
if(NOT MIMUS_WITH_NCCL STREQUAL "OFF")
  find_package(NCCL 2.18 QUIET)
  set(MIMUS_HAS_NCCL ${NCCL_FOUND})
  mimus_library_found(mimus_nccl NCCL 2.18)
  if(MIMUS_WITH_NCCL STREQUAL "ON" AND NOT NCCL_FOUND)
    message(FATAL_ERROR "MIMUS_WITH_NCCL=ON, but ${mimus_nccl} is found: set NCCL_ROOT to the folder "
                        "that holds include/nccl.h and lib/libnccl.so.2")
  endif()
endif()
set(MIMUS_HAS_CUDA ON)
list(JOIN CMAKE_CUDA_ARCHITECTURES " " mimus_architectures)
set(MIMUS_CUDA_SUMMARY
    "${CMAKE_CUDA_COMPILER_VERSION} for ${mimus_architectures}, ${mimus_cudnn}, ${mimus_nccl}")
