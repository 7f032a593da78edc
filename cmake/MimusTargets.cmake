# mimus_library(<name> SOURCES ... [DEPENDS mimus::...] [LINKS ...]): one static library per
# folder of the house, target mimus_<name>, alias mimus::<name>. DEPENDS may only name lower floors.
function(mimus_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINKS" ${ARGN})
  add_library(mimus_${name} STATIC ${ARG_SOURCES})
  add_library(mimus::${name} ALIAS mimus_${name})
  target_link_libraries(mimus_${name} PUBLIC mimus_options ${ARG_DEPENDS} ${ARG_LINKS})
endfunction()

# mimus_test(<name> SOURCES ... DEPENDS ... [MPI_RANKS n] [LABELS ...] [TIMEOUT s]): one GoogleTest
# program. With MPI_RANKS the same program also runs under mpiexec with that many ranks.
function(mimus_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE ${ARG_DEPENDS} mimus_options GTest::gtest
                                             GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND test_${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    ENVIRONMENT "MIMUS_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
endfunction()
