# mimus_build_info(<library>): adds build_info() to mimus_<library>. The script runs in every build
# because the commit may change without any source changing; it rewrites the file only on change.
function(mimus_build_info library)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/build_info.cpp")
  add_custom_target(mimus_write_build_info
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}"
            "-DTEMPLATE=${CMAKE_CURRENT_SOURCE_DIR}/build_info.cpp.in"
            "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DVERSION=${PROJECT_VERSION}"
            "-DBUILD_TYPE=$<CONFIG>"
            "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
            "-DMPIEXEC=${MPIEXEC_EXECUTABLE}" "-DMPI_STANDARD=${MPI_CXX_VERSION}"
            "-DHDF5=${HDF5_VERSION}" "-DPYTHON=${MIMUS_PLANNER_PYTHON}" "-DCUDA=${MIMUS_HAS_CUDA}" "-DNCCL=${MIMUS_HAS_NCCL}"
            -P "${CMAKE_CURRENT_SOURCE_DIR}/WriteBuildInfo.cmake"
    BYPRODUCTS "${output}"
    VERBATIM)
  target_sources(mimus_${library} PRIVATE "${output}")
  add_dependencies(mimus_${library} mimus_write_build_info)
endfunction()
