# Build options and compiler settings, one line each.
option(MIMUS_WARNINGS_AS_ERRORS "Stop on any compiler warning (the dev preset turns it on)" OFF)
option(MIMUS_BENCHMARKS "Build the benchmarks" ON)
option(MIMUS_UNIT_TESTS "Build the tests that are only labelled unit" ON)
set(MIMUS_SANITIZER "" CACHE STRING "Sanitizer to build with: empty, address or thread")
set_property(CACHE MIMUS_SANITIZER PROPERTY STRINGS "" address thread)
set(MIMUS_WITH_CUDA AUTO CACHE STRING "CUDA device backend: AUTO (where its toolkit is), ON or OFF")
set(MIMUS_WITH_NCCL AUTO CACHE STRING "NCCL collectives of the CUDA backend: AUTO, ON or OFF")
set(MIMUS_WITH_PYTHON AUTO CACHE STRING "Planners in Python: AUTO (where its library is), ON or OFF")
set_property(CACHE MIMUS_WITH_CUDA MIMUS_WITH_NCCL MIMUS_WITH_PYTHON PROPERTY STRINGS AUTO ON OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
  include(CheckIPOSupported)
  check_ipo_supported(RESULT MIMUS_IPO LANGUAGES CXX)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${MIMUS_IPO})
endif()
find_program(MIMUS_CCACHE ccache)
if(MIMUS_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${MIMUS_CCACHE}")
endif()

add_library(mimus_options INTERFACE)
target_include_directories(mimus_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(mimus_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wsign-conversion>
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor;-Woverloaded-virtual;-Wold-style-cast>
  # Optimising, GCC 12 takes members of its own std::string and std::variant for uninitialised.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${MIMUS_WARNINGS_AS_ERRORS}>>:-Werror>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${MIMUS_WARNINGS_AS_ERRORS}>>:--Werror=all-warnings>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${MIMUS_WARNINGS_AS_ERRORS}>>:-Xcompiler=-Werror>)
if(MIMUS_SANITIZER STREQUAL "address")
  # Checks of every single pointer double the time to compile and find what address finds anyway.
  target_compile_options(mimus_options INTERFACE -fsanitize=address,undefined
                         -fno-sanitize=null,alignment,object-size,vptr
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer
                         # Functions of libraries that are loaded at run time have types of our own.
                         $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
  target_link_options(mimus_options INTERFACE -fsanitize=address,undefined)
elseif(MIMUS_SANITIZER STREQUAL "thread")
  target_compile_options(mimus_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(mimus_options INTERFACE -fsanitize=thread)
elseif(MIMUS_SANITIZER)
  message(FATAL_ERROR "MIMUS_SANITIZER=\"${MIMUS_SANITIZER}\": allowed are empty, address, thread")
endif()
