# Finds NVIDIA's collective communication library: target NCCL::NCCL, NCCL_VERSION.
#
# Looked at, in this order: NCCL_ROOT (variable or environment), the CUDA toolkit, CUDA_HOME and
# CUDA_PATH, the system, and where nothing was found, the wheel nvidia-nccl of Python. A wheel has
# no libnccl.so, only libnccl.so.2.
set(_nccl_hints ${CUDAToolkit_TARGET_DIR} ${CUDAToolkit_LIBRARY_ROOT} ${CUDAToolkit_ROOT}
                $ENV{CUDA_HOME} $ENV{CUDA_PATH})
macro(_nccl_search)
  # <PackageName>_ROOT is searched before the hints (CMP0074).
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${_nccl_hints} PATH_SUFFIXES include)
  find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 NAMES_PER_DIR HINTS ${_nccl_hints}
               PATH_SUFFIXES lib64 lib lib/${CMAKE_LIBRARY_ARCHITECTURE})
endmacro()
_nccl_search()

if(NOT NCCL_INCLUDE_DIR OR NOT NCCL_LIBRARY)
  find_program(_nccl_python NAMES python3 NO_CACHE)
  if(_nccl_python)
    execute_process(
      COMMAND "${_nccl_python}" -c
              "import importlib.util as u; print(*u.find_spec('nvidia.nccl').submodule_search_locations, sep=';')"
      OUTPUT_VARIABLE _nccl_hints ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    # Header and library of one version: whatever was found alone is looked for again.
    unset(NCCL_INCLUDE_DIR CACHE)
    unset(NCCL_LIBRARY CACHE)
    _nccl_search()
  endif()
endif()

if(NCCL_INCLUDE_DIR)
  set(NCCL_VERSION "")
  foreach(_nccl_part IN ITEMS MAJOR MINOR PATCH)
    file(STRINGS "${NCCL_INCLUDE_DIR}/nccl.h" _nccl_line
         REGEX "^#define[ \t]+NCCL_${_nccl_part}[ \t]+[0-9]+" LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+$" _nccl_number "${_nccl_line}")
    list(APPEND NCCL_VERSION "${_nccl_number}")
  endforeach()
  list(JOIN NCCL_VERSION "." NCCL_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NCCL
  REQUIRED_VARS NCCL_LIBRARY NCCL_INCLUDE_DIR
  VERSION_VAR NCCL_VERSION
  REASON_FAILURE_MESSAGE "set NCCL_ROOT to the folder that holds include/nccl.h and lib")
mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)

if(NCCL_FOUND AND NOT TARGET NCCL::NCCL)
  add_library(NCCL::NCCL UNKNOWN IMPORTED)
  set_target_properties(NCCL::NCCL PROPERTIES IMPORTED_LOCATION "${NCCL_LIBRARY}")
  # The toolkit's folder comes with the toolkit, last: named here it could hide another library's.
  if(NOT NCCL_INCLUDE_DIR IN_LIST CUDAToolkit_INCLUDE_DIRS)
    set_target_properties(NCCL::NCCL PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${NCCL_INCLUDE_DIR}")
  endif()
endif()
unset(_nccl_hints)
unset(_nccl_line)
unset(_nccl_number)
unset(_nccl_part)
