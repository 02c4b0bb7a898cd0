# What `cmake --install` lays down: the library and its headers for CMake and pkg-config. The programs see to
# themselves in apps/CMakeLists.txt.
include(CMakePackageConfigHelpers)

get_target_property(eddy_library_type eddy TYPE)
set(eddy_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/eddy)

# Before 1.0 each minor version may break the one before it.
set(eddy_libraries eddy)
foreach(part tls http http2 rpc curl pq redis)
  if(TARGET eddy_${part})
    list(APPEND eddy_libraries eddy_${part})
    set(eddy_has_${part} ON)
  endif()
endforeach()
# All that is installed, for builds of nothing else.
add_custom_target(eddy_libraries DEPENDS ${eddy_libraries})
set_target_properties(${eddy_libraries} PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

install(TARGETS ${eddy_libraries} EXPORT eddy_targets FILE_SET HEADERS)
if(TARGET protoc-gen-eddy)
  set(eddy_has_protobuf ON)
  add_dependencies(eddy_libraries protoc-gen-eddy)
  install(TARGETS protoc-gen-eddy EXPORT eddy_targets)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/eddy_protobuf.cmake DESTINATION ${eddy_package_dir})
endif()
install(EXPORT eddy_targets NAMESPACE eddy:: DESTINATION ${eddy_package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/eddyConfig.cmake.in
  ${PROJECT_BINARY_DIR}/eddyConfig.cmake INSTALL_DESTINATION ${eddy_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/eddyConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/eddyConfig.cmake ${PROJECT_BINARY_DIR}/eddyConfigVersion.cmake
  DESTINATION ${eddy_package_dir})

# A static library leaves linking what it uses to its user, a shared one has done it.
if(eddy_library_type STREQUAL "STATIC_LIBRARY")
  set(eddy_pc_used "Requires")
else()
  set(eddy_pc_used "Requires.private")
endif()
# The prefix follows the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH eddy_pc_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
# eddy_pkg_config(<name> <description> <libraries of ours> <libraries used>)
function(eddy_pkg_config name description ours used)
  set(eddy_pc_name ${name})
  set(eddy_pc_description "${description}")
  set(eddy_pc_requires "Requires: ${ours}\nRequires.private: ${used}")
  if(eddy_pc_used STREQUAL "Requires")
    string(STRIP "${ours} ${used}" all)
    set(eddy_pc_requires "Requires: ${all}")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/eddy.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
# eddy_pkg_config_of_part(<part> <description> <libraries of ours> <libraries used>)
function(eddy_pkg_config_of_part part description ours used)
  if(TARGET eddy_${part})
    eddy_pkg_config(eddy-${part} "${description}" "${ours}" "${used}")
  endif()
endfunction()
eddy_pkg_config(eddy "${PROJECT_DESCRIPTION}" "" liburing)
eddy_pkg_config_of_part(tls "TLS for eddy" eddy openssl)
eddy_pkg_config_of_part(http "HTTP for eddy" eddy-tls "zlib libbrotlienc libbrotlidec")
eddy_pkg_config_of_part(http2 "HTTP/2 for eddy" eddy-http libnghttp2)
eddy_pkg_config_of_part(rpc "gRPC for eddy" eddy-http2 "")
eddy_pkg_config_of_part(curl "libcurl for eddy" eddy libcurl)
eddy_pkg_config_of_part(pq "PostgreSQL for eddy" eddy libpq)
eddy_pkg_config_of_part(redis "Redis for eddy" eddy-tls "libcrypto hiredis")
