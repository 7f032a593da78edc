# Build options and compiler settings, one line each.
option(MIMUS_WARNINGS_AS_ERRORS "Stop on any compiler warning (the dev preset turns it on)" OFF)
option(MIMUS_BENCHMARKS "Build the benchmarks" ON)
set(MIMUS_SANITIZER "" CACHE STRING "Sanitizer to build with: empty, address or thread")
set_property(CACHE MIMUS_SANITIZER PROPERTY STRINGS "" address thread)
set(MIMUS_WITH_CUDA OFF CACHE STRING "CUDA device backend: ON or OFF")
set(MIMUS_WITH_NCCL OFF CACHE STRING "NCCL collective backend: ON or OFF")

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

foreach(feature IN ITEMS CUDA NCCL)
  if(MIMUS_WITH_${feature})
    message(FATAL_ERROR "MIMUS_WITH_${feature}=ON: this release has no ${feature} backend yet; "
                        "configure without it to run on the cpu device with mpi collectives.")
  endif()
endforeach()

add_library(mimus_options INTERFACE)
target_include_directories(mimus_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(mimus_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast
  # Optimising, GCC 12 takes members of its own std::string and std::variant for uninitialised.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  $<$<BOOL:${MIMUS_WARNINGS_AS_ERRORS}>:-Werror>)
if(MIMUS_SANITIZER STREQUAL "address")
  # Checks of every single pointer double the time to compile and find what address finds anyway.
  target_compile_options(mimus_options INTERFACE -fsanitize=address,undefined
                         -fno-sanitize=null,alignment,object-size,vptr
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(mimus_options INTERFACE -fsanitize=address,undefined)
elseif(MIMUS_SANITIZER STREQUAL "thread")
  target_compile_options(mimus_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(mimus_options INTERFACE -fsanitize=thread)
elseif(MIMUS_SANITIZER)
  message(FATAL_ERROR "MIMUS_SANITIZER=\"${MIMUS_SANITIZER}\": allowed are empty, address, thread")
endif()
