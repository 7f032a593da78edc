# What was found and chosen, at the end of every configure.
message(STATUS "Mimus ${PROJECT_VERSION}")
message(STATUS "  build type    ${CMAKE_BUILD_TYPE}, sanitizer '${MIMUS_SANITIZER}', "
               "warnings as errors ${MIMUS_WARNINGS_AS_ERRORS}, "
               "precompiled headers ${MIMUS_PRECOMPILE}, "
               "launcher '${CMAKE_CXX_COMPILER_LAUNCHER}'")
message(STATUS "  compiler      ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
message(STATUS "  MPI           ${MPI_CXX_VERSION} (${MPIEXEC_EXECUTABLE})")
message(STATUS "  HDF5          ${HDF5_VERSION}, ${MIMUS_HDF5_LINKAGE}")
message(STATUS "  BLAS          ${BLAS_LIBRARIES}")
message(STATUS "  L-BFGS-B      ${MIMUS_LBFGSB_LINKS}")
if(BUILD_TESTING)
  message(STATUS "  Python        ${MIMUS_PYTHON}")
endif()
message(STATUS "  CUDA          ${MIMUS_CUDA_SUMMARY}")
message(STATUS "  planners      ${MIMUS_PYTHON_SUMMARY}")
message(STATUS "  tests         ${BUILD_TESTING}, benchmarks ${MIMUS_BENCHMARKS}")
