# Script: writes trace_sources() into OUTPUT, with every source that INPUTS define in a line
#   Choice<WorkloadSource> NAME_source() {
# by name, touching OUTPUT only when it changes.
set(declared "")
set(names "")
foreach(input IN LISTS INPUTS)
  file(STRINGS "${input}" lines REGEX "^Choice<WorkloadSource> [a-z0-9_]+_source\\(\\) {$")
  file(STRINGS "${input}" mentions REGEX "Choice<WorkloadSource>")
  if(mentions AND NOT lines)
    message(FATAL_ERROR "${input}: makes a Choice<WorkloadSource>, but has no line "
                        "\"Choice<WorkloadSource> NAME_source() {\", by which the build finds it")
  endif()
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^Choice<WorkloadSource> ([a-z0-9_]+)\\(\\) {$" "\\1" name "${line}")
    list(APPEND names "${name}")
  endforeach()
endforeach()
list(SORT names)
foreach(name IN LISTS names)
  string(APPEND declared "Choice<WorkloadSource> ${name}();\n")
endforeach()
list(JOIN names "(), " made)
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT
"#include \"workloads/traces/formats/formats.hpp\"

namespace mimus::workloads {

${declared}
std::vector<Choice<WorkloadSource>> trace_sources() {
  return {${made}()};
}

}  // namespace mimus::workloads
")
