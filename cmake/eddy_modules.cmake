# The named modules: interface units in modules/, which scripts/check_tree.py --update-modules writes from the public headers.
option(EDDY_BUILD_MODULES "Build the named modules (needs CMake 3.28, Ninja and clang 22)" OFF)
if(EDDY_BUILD_MODULES AND CMAKE_VERSION VERSION_LESS 3.28)
  message(FATAL_ERROR "EDDY_BUILD_MODULES needs CMake 3.28 or later (this is ${CMAKE_VERSION}); PyPI has one: pip install cmake")
endif()
if(EDDY_BUILD_MODULES AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "EDDY_BUILD_MODULES needs clang 22; ${CMAKE_CXX_COMPILER_ID} is not tried")
endif()

# eddy_module(<library> <module>...): the modules over the headers of a library, which are built and installed with it.
function(eddy_module library)
  if(NOT EDDY_BUILD_MODULES)
    return()
  endif()
  set(root ${PROJECT_SOURCE_DIR}/modules)
  foreach(module ${ARGN})
    target_sources(${library} PUBLIC FILE_SET CXX_MODULES BASE_DIRS ${root} FILES ${root}/${module}.cppm)
    set_source_files_properties(${root}/${module}.cppm PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
endfunction()

# Whether the standard library comes as a module, too. libc++ 22 does; its unit is compiled with the flags of this build.
string(FIND "${CMAKE_CXX_FLAGS}" "-stdlib=libc++" eddy_std_module)
if(EDDY_BUILD_MODULES AND NOT eddy_std_module EQUAL -1 AND NOT TARGET eddy_std)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-resource-dir OUTPUT_VARIABLE eddy_resource_dir
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  find_path(EDDY_STD_MODULE_DIR std.cppm HINTS ${eddy_resource_dir}/../../../share/libc++/v1 REQUIRED
    DOC "Where libc++ has the unit of the module std")
  add_library(eddy_std STATIC)
  target_sources(eddy_std PUBLIC FILE_SET CXX_MODULES BASE_DIRS ${EDDY_STD_MODULE_DIR} FILES ${EDDY_STD_MODULE_DIR}/std.cppm)
  target_compile_features(eddy_std PUBLIC cxx_std_23)
  target_compile_options(eddy_std PRIVATE -Wno-reserved-module-identifier)
endif()

# eddy_by_import(<target>): builds <target>_by_import from the same sources, with imports in the place of #include <eddy/...>;
# where the standard library is a module, also in the place of its headers. Part of the target examples_by_import.
function(eddy_by_import target)
  if(NOT EDDY_BUILD_MODULES)
    return()
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  get_target_property(sources ${target} SOURCES)
  get_target_property(directory ${target} SOURCE_DIR)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${directory} ${directory}/*.hpp)
  set(importing ${CMAKE_CURRENT_BINARY_DIR}/${target}_by_import)
  set(made "")
  foreach(source ${sources} ${headers})
    if(IS_ABSOLUTE ${source})
      list(APPEND made ${source})
      continue()
    endif()
    add_custom_command(OUTPUT ${importing}/${source}
      COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/by_import.py $<$<TARGET_EXISTS:eddy_std>:--std>
        ${directory}/${source} ${importing}/${source}
      DEPENDS ${directory}/${source} ${PROJECT_SOURCE_DIR}/scripts/by_import.py ${PROJECT_SOURCE_DIR}/scripts/tree_rules/modules.py
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND made ${importing}/${source})
  endforeach()
  add_executable(${target}_by_import EXCLUDE_FROM_ALL ${made})
  get_target_property(libraries ${target} LINK_LIBRARIES)
  get_target_property(definitions ${target} COMPILE_DEFINITIONS)
  if(definitions)
    target_compile_definitions(${target}_by_import PRIVATE ${definitions})
  endif()
  target_include_directories(${target}_by_import PRIVATE ${importing})
  target_link_libraries(${target}_by_import PRIVATE ${libraries})
  if(TARGET eddy_std)
    target_link_libraries(${target}_by_import PRIVATE eddy_std)
  endif()
  get_target_property(name ${target} OUTPUT_NAME)
  set_target_properties(${target}_by_import PROPERTIES CXX_SCAN_FOR_MODULES ON UNITY_BUILD OFF OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples_by_import)
  if(NOT TARGET examples_by_import)
    add_custom_target(examples_by_import)
  endif()
  add_dependencies(examples_by_import ${target}_by_import)
endfunction()
