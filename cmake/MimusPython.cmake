# MIMUS_PYTHON: the interpreter with the libraries of results/analysis, chosen by setup.sh so that
# scripts and tests agree. Set it on the command line to take another.
if(NOT MIMUS_PYTHON)
  execute_process(
    COMMAND "${CMAKE_CURRENT_LIST_DIR}/../setup.sh" --python
    OUTPUT_VARIABLE found_python OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(MIMUS_PYTHON "${found_python}" CACHE FILEPATH "Python 3 with h5py, pandas, SciPy and matplotlib")
endif()
