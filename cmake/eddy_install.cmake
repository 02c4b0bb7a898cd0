# What `cmake --install` lays down: the library and its headers for CMake and pkg-config. The programs see to
# themselves in apps/CMakeLists.txt.
include(CMakePackageConfigHelpers)

get_target_property(eddy_library_type eddy TYPE)
set(eddy_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/eddy)

# Before 1.0 each minor version may break the one before it.
set_target_properties(eddy PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

install(TARGETS eddy EXPORT eddy_targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/eddy DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp")
install(EXPORT eddy_targets NAMESPACE eddy:: DESTINATION ${eddy_package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/eddyConfig.cmake.in
  ${PROJECT_BINARY_DIR}/eddyConfig.cmake INSTALL_DESTINATION ${eddy_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/eddyConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/eddyConfig.cmake ${PROJECT_BINARY_DIR}/eddyConfigVersion.cmake
  DESTINATION ${eddy_package_dir})

# A static library leaves linking liburing to its user, a shared one has done it.
if(eddy_library_type STREQUAL "STATIC_LIBRARY")
  set(eddy_pc_requires "Requires: liburing")
else()
  set(eddy_pc_requires "Requires.private: liburing")
endif()
# The prefix follows the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH eddy_pc_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/eddy.pc.in ${PROJECT_BINARY_DIR}/eddy.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/eddy.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
