# mimus_embed_text(<target> <function> <file>...): compiles text files into <target> as
#   std::vector<std::pair<std::string_view, std::string_view>> <function>();  // file name, text
# declared by the caller in namespace mimus::embedded. Programs then need no data path.
function(mimus_embed_text target function)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp")
  set(inputs "")
  mimus_matching(files ${ARGN})
  foreach(file IN LISTS files)
    list(APPEND inputs "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  endforeach()
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DFUNCTION=${function}" "-DINPUTS=${inputs}"
            -P "${PROJECT_SOURCE_DIR}/cmake/WriteEmbedded.cmake"
    DEPENDS ${inputs} "${PROJECT_SOURCE_DIR}/cmake/WriteEmbedded.cmake"
    VERBATIM
    COMMENT "Embedding ${function}")
  target_sources(${target} PRIVATE "${output}")
endfunction()
