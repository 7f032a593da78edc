# Finds NVIDIA's deep neural network library, version 9: target CUDNN::cudnn, CUDNN_VERSION.
#
# Looked at, in this order: CUDNN_ROOT (variable or environment), the CUDA toolkit, CUDA_HOME and
# CUDA_PATH, the system, and where nothing was found, the wheel nvidia-cudnn of Python. libcudnn.so.9
# loads the other parts of the library by itself.
set(_cudnn_hints ${CUDAToolkit_TARGET_DIR} ${CUDAToolkit_LIBRARY_ROOT} ${CUDAToolkit_ROOT}
                 $ENV{CUDA_HOME} $ENV{CUDA_PATH})
macro(_cudnn_search)
  # <PackageName>_ROOT is searched before the hints (CMP0074).
  find_path(CUDNN_INCLUDE_DIR cudnn_version.h HINTS ${_cudnn_hints} PATH_SUFFIXES include)
  find_library(CUDNN_LIBRARY NAMES cudnn libcudnn.so.9 NAMES_PER_DIR HINTS ${_cudnn_hints}
               PATH_SUFFIXES lib64 lib lib/${CMAKE_LIBRARY_ARCHITECTURE})
endmacro()
_cudnn_search()

if(NOT CUDNN_INCLUDE_DIR OR NOT CUDNN_LIBRARY)
  find_program(_cudnn_python NAMES python3 NO_CACHE)
  if(_cudnn_python)
    execute_process(
      COMMAND "${_cudnn_python}" -c
              "import importlib.util as u; print(*u.find_spec('nvidia.cudnn').submodule_search_locations, sep=';')"
      OUTPUT_VARIABLE _cudnn_hints ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    # Header and library of one version: whatever was found alone is looked for again.
    unset(CUDNN_INCLUDE_DIR CACHE)
    unset(CUDNN_LIBRARY CACHE)
    _cudnn_search()
  endif()
endif()

if(CUDNN_INCLUDE_DIR)
  set(CUDNN_VERSION "")
  foreach(_cudnn_part IN ITEMS MAJOR MINOR PATCHLEVEL)
    file(STRINGS "${CUDNN_INCLUDE_DIR}/cudnn_version.h" _cudnn_line
         REGEX "^#define[ \t]+CUDNN_${_cudnn_part}[ \t]+[0-9]+" LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+$" _cudnn_number "${_cudnn_line}")
    list(APPEND CUDNN_VERSION "${_cudnn_number}")
  endforeach()
  list(JOIN CUDNN_VERSION "." CUDNN_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CUDNN
  REQUIRED_VARS CUDNN_LIBRARY CUDNN_INCLUDE_DIR
  VERSION_VAR CUDNN_VERSION
  REASON_FAILURE_MESSAGE "set CUDNN_ROOT to the folder that holds include/cudnn.h and lib")
mark_as_advanced(CUDNN_INCLUDE_DIR CUDNN_LIBRARY)

if(CUDNN_FOUND AND NOT TARGET CUDNN::cudnn)
  add_library(CUDNN::cudnn UNKNOWN IMPORTED)
  set_target_properties(CUDNN::cudnn PROPERTIES IMPORTED_LOCATION "${CUDNN_LIBRARY}")
  # See FindNCCL.
  if(NOT CUDNN_INCLUDE_DIR IN_LIST CUDAToolkit_INCLUDE_DIRS)
    set_target_properties(CUDNN::cudnn PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${CUDNN_INCLUDE_DIR}")
  endif()
endif()
unset(_cudnn_hints)
unset(_cudnn_line)
unset(_cudnn_number)
unset(_cudnn_part)
