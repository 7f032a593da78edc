# HDF5 as target mimus_hdf5. Distributions build the shared library with drivers for objects in cloud
# storage: it loads libcurl and thirty libraries more, which costs each start of Mimus 7 ms. Linked from
# the archive beside it, what is not called is left out, and so are they.
find_package(HDF5 1.10 REQUIRED COMPONENTS C)
option(MIMUS_STATIC_HDF5 "Link HDF5's archive where it is found and complete" ON)

add_library(mimus_hdf5 INTERFACE)
target_include_directories(mimus_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_compile_definitions(mimus_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})

set(MIMUS_HDF5_LINKAGE shared)
if(MIMUS_STATIC_HDF5)
  set(folders "")
  foreach(library IN LISTS HDF5_C_LIBRARIES)
    get_filename_component(folder "${library}" DIRECTORY)
    list(APPEND folders "${folder}")
  endforeach()
  find_library(MIMUS_HDF5_ARCHIVE libhdf5.a PATHS ${folders} NO_DEFAULT_PATH)
  mark_as_advanced(MIMUS_HDF5_ARCHIVE)
endif()
if(MIMUS_STATIC_HDF5 AND MIMUS_HDF5_ARCHIVE)
  include(CheckCSourceCompiles)
  set(archive "${MIMUS_HDF5_ARCHIVE}" sz z ${CMAKE_DL_LIBS} m Threads::Threads)
  set(CMAKE_REQUIRED_LIBRARIES ${archive})
  set(CMAKE_REQUIRED_INCLUDES ${HDF5_C_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_DEFINITIONS ${HDF5_C_DEFINITIONS})
  check_c_source_compiles("
    #include <hdf5.h>
    int main(void) { return H5Fcreate(\"x\", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT) < 0; }"
    MIMUS_HDF5_ARCHIVE_LINKS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_DEFINITIONS)
  if(MIMUS_HDF5_ARCHIVE_LINKS)
    set(MIMUS_HDF5_LINKAGE static)
  endif()
endif()

if(MIMUS_HDF5_LINKAGE STREQUAL static)
  target_link_libraries(mimus_hdf5 INTERFACE ${archive})
else()
  target_link_libraries(mimus_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
endif()
