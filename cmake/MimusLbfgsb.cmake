# L-BFGS-B, the optimiser with which Pollux fits throughput models, where its archive is found: Spack
# does not have it. Its shared library would load a second BLAS, whose threads spin.
find_library(MIMUS_LBFGSB_ARCHIVE liblbfgsb.a)
find_library(MIMUS_FORTRAN_RUNTIME NAMES libgfortran.so.5 gfortran)
mark_as_advanced(MIMUS_LBFGSB_ARCHIVE MIMUS_FORTRAN_RUNTIME)
set(MIMUS_LBFGSB "")
set(MIMUS_LBFGSB_LINKS OFF)
if(MIMUS_LBFGSB_ARCHIVE AND MIMUS_FORTRAN_RUNTIME)
  include(CheckCSourceCompiles)
  set(archive "${MIMUS_LBFGSB_ARCHIVE}" "${MIMUS_OPENBLAS}" "${MIMUS_FORTRAN_RUNTIME}")
  set(CMAKE_REQUIRED_LIBRARIES ${archive})
  check_c_source_compiles("
    void setulb_(void);
    int main(void) { setulb_(); return 0; }" MIMUS_LBFGSB_COMPLETE)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(MIMUS_LBFGSB_COMPLETE)
    set(MIMUS_LBFGSB ${archive})
    set(MIMUS_LBFGSB_LINKS ON)
  endif()
endif()
