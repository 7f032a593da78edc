# MIMUS_PRECOMPILE: most of the time to compile a source goes into the standard library's headers,
# fmt's and GoogleTest's, so they are read once. Sources then see them whether they include them or
# not; the presets without it (dev, release, tidy) and the lone headers of tests/house do not, and
# house_includes looks for what is missing.
option(MIMUS_PRECOMPILE "Precompile the headers that most sources include" OFF)

set(headers <algorithm> <array> <bit> <chrono> <cmath> <compare> <concepts> <cstddef> <cstdint>
            <cstdlib> <deque> <filesystem> <fstream> <functional> <limits> <map> <memory> <optional>
            <set> <span> <sstream> <stdexcept> <string> <string_view> <unordered_map> <utility>
            <variant> <vector> <fmt/format.h> <fmt/ranges.h>)
set(headers_library "")
set(headers_test <gmock/gmock.h> <gtest/gtest.h>)
set(headers_cli <CLI/CLI.hpp> <nlohmann/json.hpp>)

# ccache finds sources with precompiled headers only when it may assume that these stand for the
# files they were made from, and that no source asks for the time of day.
if(MIMUS_PRECOMPILE AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                  "${CMAKE_CXX_COMPILER_LAUNCHER}")
endif()

# One set of precompiled headers per kind of target, shared by all of them.
if(MIMUS_PRECOMPILE)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled.cpp" CONTENT "")
  set(kinds library cli)
  if(BUILD_TESTING)
    list(APPEND kinds test)
  endif()
  foreach(kind IN LISTS kinds)
    add_library(mimus_precompiled_${kind} OBJECT EXCLUDE_FROM_ALL
                "${PROJECT_BINARY_DIR}/precompiled.cpp")
    target_link_libraries(mimus_precompiled_${kind} PRIVATE mimus_options fmt::fmt spdlog::spdlog)
    target_precompile_headers(mimus_precompiled_${kind} PRIVATE ${headers} ${headers_${kind}})
  endforeach()
  if(BUILD_TESTING)
    target_link_libraries(mimus_precompiled_test PRIVATE GTest::gtest GTest::gmock)
  endif()
  target_link_libraries(mimus_precompiled_cli PRIVATE CLI11::CLI11 nlohmann_json::nlohmann_json)
endif()

# mimus_precompile(<target> <kind>): kind is library, cli or test.
function(mimus_precompile target kind)
  if(MIMUS_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM mimus_precompiled_${kind})
  endif()
endfunction()

# CMAKE_UNITY_BUILD compiles sources of a target together, which takes a third of the time. Sources that call private things by a name that others
# of their target use, too, are named here and compiled apart. A clash shows as "redefinition of".
function(mimus_compile_apart)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
