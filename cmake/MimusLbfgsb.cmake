# L-BFGS-B, the optimiser with which Pollux fits throughput models, where its archive is found: Spack
# does not have it. A copy of the archive calls the linear algebra of scheduler/fit, which adds in the
# same order on every processor; its shared library would load a second BLAS, whose threads spin. What
# it would print on stdout goes nowhere.
find_library(MIMUS_LBFGSB_ARCHIVE liblbfgsb.a)
find_library(MIMUS_FORTRAN_RUNTIME NAMES libgfortran.so.5 gfortran)
mark_as_advanced(MIMUS_LBFGSB_ARCHIVE MIMUS_FORTRAN_RUNTIME)
set(MIMUS_LBFGSB "${PROJECT_BINARY_DIR}/liblbfgsb_mimus.a")
set(MIMUS_LBFGSB_LINKS OFF)
if(MIMUS_LBFGSB_ARCHIVE AND MIMUS_FORTRAN_RUNTIME AND CMAKE_OBJCOPY)
  set(renamed "")
  set(stubs "")
  foreach(function IN ITEMS daxpy dcopy ddot dpotrf dscal dtrtrs)
    list(APPEND renamed --redefine-sym "${function}_=mimus_${function}_")
    string(APPEND stubs "void mimus_${function}_(void) {}\n")
  endforeach()
  foreach(function IN ITEMS st_write st_write_done transfer_array_write transfer_character_write
                            transfer_integer_write transfer_real_write)
    list(APPEND renamed --redefine-sym "_gfortran_${function}=mimus_${function}")
    string(APPEND stubs "void mimus_${function}(void) {}\n")
  endforeach()
  execute_process(COMMAND "${CMAKE_OBJCOPY}" ${renamed} "${MIMUS_LBFGSB_ARCHIVE}" "${MIMUS_LBFGSB}"
                  COMMAND_ERROR_IS_FATAL ANY)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES "${MIMUS_LBFGSB}" "${MIMUS_FORTRAN_RUNTIME}" m)
  check_c_source_compiles("
    void setulb_(void);
    ${stubs}
    int main(void) { setulb_(); return 0; }" MIMUS_LBFGSB_COMPLETE)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(MIMUS_LBFGSB_COMPLETE)
    set(MIMUS_LBFGSB_LINKS ON)
  endif()
endif()
