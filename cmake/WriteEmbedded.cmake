# Script of mimus_embed_text: writes ${OUTPUT} with each of ${INPUTS} as raw string literals.
# Literals are cut into pieces because compilers limit the length of one.
set(entries "")
foreach(input IN LISTS INPUTS)
  get_filename_component(name "${input}" NAME)
  file(READ "${input}" text)
  string(LENGTH "${text}" length)
  set(literal "")
  set(position 0)
  while(position LESS length)
    string(SUBSTRING "${text}" ${position} 8000 piece)
    string(APPEND literal "R\"__mimus__(${piece})__mimus__\"\n")
    math(EXPR position "${position} + 8000")
  endwhile()
  string(APPEND entries "    {\"${name}\",\n${literal}},\n")
endforeach()
file(
  WRITE "${OUTPUT}"
  "// Written by cmake/WriteEmbedded.cmake; do not edit.
#include <string_view>
#include <utility>
#include <vector>

namespace mimus::embedded {
std::vector<std::pair<std::string_view, std::string_view>> ${FUNCTION}();
std::vector<std::pair<std::string_view, std::string_view>> ${FUNCTION}() {
  return {
${entries}  };
}
}  // namespace mimus::embedded
")
