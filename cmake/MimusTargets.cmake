# mimus_matching(<result> <name or pattern>... [EXCEPT <name or pattern>...]): the files of this folder
# that are named or match. What comes to match later is found at the next build.
function(mimus_matching result)
  cmake_parse_arguments(ARG "" "" "EXCEPT" ${ARGN})
  foreach(list IN ITEMS UNPARSED_ARGUMENTS EXCEPT)
    set(found_${list} "")
    foreach(name IN LISTS ARG_${list})
      if(name MATCHES "\\*")
        file(GLOB matching RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" CONFIGURE_DEPENDS
             "${CMAKE_CURRENT_SOURCE_DIR}/${name}")
        list(APPEND found_${list} ${matching})
      else()
        list(APPEND found_${list} "${name}")
      endif()
    endforeach()
  endforeach()
  if(found_EXCEPT)
    list(REMOVE_ITEM found_UNPARSED_ARGUMENTS ${found_EXCEPT})
  endif()
  set(${result} ${found_UNPARSED_ARGUMENTS} PARENT_SCOPE)
endfunction()

# mimus_library(<name> SOURCES ... [DEPENDS mimus::...] [LINKS ...] [PRECOMPILED kind]): one static
# library per folder of the house, target mimus_<name>, alias mimus::<name>. DEPENDS may only name
# lower floors. SOURCES: as mimus_matching() takes them. PRECOMPILED: see mimus_precompile(); library unless given.
function(mimus_library name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "SOURCES;DEPENDS;LINKS" ${ARGN})
  mimus_matching(sources ${ARG_SOURCES})
  add_library(mimus_${name} STATIC ${sources})
  add_library(mimus::${name} ALIAS mimus_${name})
  target_link_libraries(mimus_${name} PUBLIC mimus_options ${ARG_DEPENDS} ${ARG_LINKS})
  if(NOT ARG_PRECOMPILED)
    set(ARG_PRECOMPILED library)
  endif()
  mimus_precompile(mimus_${name} ${ARG_PRECOMPILED})
endfunction()

# All programs with tests labelled `threads`: what the tsan preset builds.
add_custom_target(mimus_thread_tests)

# Launch settings of tests under mpirun: more ranks than cores, as root in containers, one machine.
set(MIMUS_MPI_TEST_ENVIRONMENT
    OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_hwloc_base_binding_policy=none
    OMPI_MCA_oob_tcp_if_include=lo
    OMPI_MCA_btl_tcp_if_include=lo
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)

# mimus_test(<name> SOURCES ... [EXCEPT ...] DEPENDS ... [MPI_RANKS n [MPI_MAIN file]] [LABELS ...] [TIMEOUT s]):
# one GoogleTest program, run as test <name>. With MPI_RANKS it also runs as <name>_on_<n>_ranks under
# mpiexec, labelled mpi, with a main() that initialises MPI, tests/support/mpi_main.cpp unless
# MPI_MAIN names another one of that folder. LABELS: unit (the default; see MIMUS_UNIT_TESTS),
# threads (also checked by the tsan preset), cuda, mpi, slow; program for what is to run without
# sanitizers only, and unit program for both.
function(mimus_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT;MPI_RANKS;MPI_MAIN" "SOURCES;EXCEPT;DEPENDS;LABELS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mimus_test(${name}): unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(ARG_MPI_RANKS)
    if(NOT ARG_MPI_MAIN)
      set(ARG_MPI_MAIN mpi_main.cpp)
    endif()
    list(APPEND ARG_SOURCES "${PROJECT_SOURCE_DIR}/tests/support/${ARG_MPI_MAIN}")
  endif()
  mimus_matching(sources ${ARG_SOURCES})
  if(ARG_EXCEPT)
    mimus_matching(sources ${sources} EXCEPT ${ARG_EXCEPT})
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE ${ARG_DEPENDS} mimus_options GTest::gtest
                                             GTest::gmock GTest::gtest_main)
  mimus_precompile(test_${name} test)
  if((NOT MIMUS_UNIT_TESTS AND ARG_LABELS STREQUAL "unit") OR (MIMUS_SANITIZER AND NOT "unit" IN_LIST ARG_LABELS))
    set_target_properties(test_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  set(environment "MIMUS_SOURCE_DIR=${PROJECT_SOURCE_DIR}" ${MIMUS_MPI_TEST_ENVIRONMENT})
  # A property's cases under a sanitizer: a tenth of RapidCheck's hundred, at ten times the cost each.
  if(MIMUS_SANITIZER)
    list(APPEND environment RC_PARAMS=max_success=10)
    math(EXPR ARG_TIMEOUT "4 * ${ARG_TIMEOUT}")  # they run at the lowest priority beside other tests
  endif()
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
                                          ENVIRONMENT "${environment}")
  if("threads" IN_LIST ARG_LABELS)
    add_dependencies(mimus_thread_tests test_${name})
  endif()
  if(ARG_MPI_RANKS)
    set(on_ranks ${name}_on_${ARG_MPI_RANKS}_ranks)
    add_test(NAME ${on_ranks} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}
                                      ${ARG_MPI_RANKS} $<TARGET_FILE:test_${name}>)
    set_tests_properties(${on_ranks} PROPERTIES LABELS mpi TIMEOUT ${ARG_TIMEOUT}
      PROCESSORS ${ARG_MPI_RANKS} ENVIRONMENT "${environment}")
  endif()
endfunction()
