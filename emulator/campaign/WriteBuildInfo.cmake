# Script of mimus_build_info: fills TEMPLATE into OUTPUT, touching OUTPUT only when it changes.
find_package(Git QUIET)

function(git_answer variable)
  set(${variable} "" PARENT_SCOPE)
  if(NOT GIT_FOUND)
    return()
  endif()
  execute_process(COMMAND "${GIT_EXECUTABLE}" ${ARGN} WORKING_DIRECTORY "${SOURCE_DIR}"
                  OUTPUT_VARIABLE answer RESULT_VARIABLE failed ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(${variable} "${answer}" PARENT_SCOPE)
  endif()
endfunction()

git_answer(COMMIT rev-parse --short=12 HEAD)
git_answer(changes status --porcelain --untracked-files=no)
if(NOT COMMIT)
  set(COMMIT unknown)
endif()
set(DIRTY false)
if(changes)
  set(DIRTY true)
endif()

set(MPI "MPI ${MPI_STANDARD}")
execute_process(COMMAND "${MPIEXEC}" --version OUTPUT_VARIABLE answer RESULT_VARIABLE failed
                ERROR_QUIET)
if(NOT failed AND answer MATCHES "\\(([^)]*)\\) ([0-9.]+)")
  set(MPI "${CMAKE_MATCH_1} ${CMAKE_MATCH_2} (${MPI})")
  string(REPLACE "OpenRTE" "Open MPI" MPI "${MPI}")  # what its launcher calls itself
endif()

foreach(feature IN ITEMS CUDA NCCL)
  if(${feature})
    set(${feature} true)
  else()
    set(${feature} false)
  endif()
endforeach()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
