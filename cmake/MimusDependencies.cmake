# Everything Mimus links against. The packages that provide them are listed once, in
# cmake/packages-debian.txt, which the set-up step installs.
find_package(Threads REQUIRED)
enable_language(C)  # FindHDF5 asks the C compiler
set(MPI_CXX_SKIP_MPICXX ON CACHE INTERNAL "Mimus uses MPI's C interface")
find_package(MPI 3.1 REQUIRED COMPONENTS CXX)
include(MimusHdf5)
find_package(ZLIB 1.2.9 REQUIRED)
find_package(yaml-cpp 0.7 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(spdlog 1.10 REQUIRED)
find_package(CLI11 2 REQUIRED)
find_package(nlohmann_json 3 REQUIRED)
find_package(Boost 1.74 REQUIRED)  # headers: Boost.Math
find_package(date 3 REQUIRED)  # time zones, which GCC has from version 14 on
# Ranks are the parallelism. The threaded OpenBLAS would start threads that spin before main() and
# cost each virtual run 40 ms of CPU, so the serial one is taken where both are installed.
find_library(MIMUS_OPENBLAS openblas
             PATH_SUFFIXES openblas-serial ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial)
if(NOT MIMUS_OPENBLAS)
  set(BLA_VENDOR OpenBLAS)
  find_package(BLAS REQUIRED)
  set(MIMUS_OPENBLAS ${BLAS_LIBRARIES})
endif()
include(MimusLbfgsb)
find_path(MIMUS_GLPK_INCLUDE glpk.h REQUIRED)
find_library(MIMUS_GLPK glpk REQUIRED)
add_library(mimus_glpk INTERFACE)
target_include_directories(mimus_glpk SYSTEM INTERFACE "${MIMUS_GLPK_INCLUDE}")
target_link_libraries(mimus_glpk INTERFACE "${MIMUS_GLPK}")
find_path(MIMUS_CBLAS_INCLUDE cblas.h REQUIRED
          PATH_SUFFIXES openblas openblas-serial openblas-pthread
                        ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial
                        ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread
                        ${CMAKE_LIBRARY_ARCHITECTURE})
if(BUILD_TESTING)
  find_package(GTest 1.12 REQUIRED)
  find_path(MIMUS_RAPIDCHECK_INCLUDE rapidcheck.h REQUIRED)
  find_library(MIMUS_RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
  include(MimusPython)
endif()
if(MIMUS_BENCHMARKS)
  find_package(benchmark 1.7 REQUIRED)
endif()

# yaml-cpp 0.7 exports the plain name, 0.8 the namespaced one.
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
