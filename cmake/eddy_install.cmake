# What `cmake --install` lays down: the library and its headers for CMake, pkg-config and, with EDDY_INSTALL_CPS, the Common
# Package Specification (CPS). The programs see to themselves in apps/CMakeLists.txt.
#
# Everything is in files of its own for each part, so that packages can be made of parts.
include(CMakePackageConfigHelpers)

get_target_property(eddy_library_type eddy TYPE)
set(eddy_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/eddy)

# Before 1.0 each minor version may break the one before it, and after it each major one.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(eddy_soversion 0.${PROJECT_VERSION_MINOR})
  set(eddy_compatibility SameMinorVersion)
else()
  set(eddy_soversion ${PROJECT_VERSION_MAJOR})
  set(eddy_compatibility SameMajorVersion)
endif()

# Compilers share no compiled modules, so a user's build compiles the interface units, as CMake's own support does.
set(eddy_install_modules "")
set(eddy_export_modules "")
if(EDDY_BUILD_MODULES)
  set(eddy_install_modules FILE_SET CXX_MODULES DESTINATION ${CMAKE_INSTALL_DATADIR}/eddy/modules)
  set(eddy_export_modules CXX_MODULES_DIRECTORY modules)
endif()

set(eddy_libraries "")
foreach(part eddy tls http http2 rpc etcd curl pq redis)
  if(part STREQUAL "eddy")
    set(target eddy)
  else()
    set(target eddy_${part})
  endif()
  if(TARGET ${target})
    list(APPEND eddy_libraries ${target})
    install(TARGETS ${target} EXPORT eddy_${part}_targets FILE_SET HEADERS ${eddy_install_modules})
    install(EXPORT eddy_${part}_targets NAMESPACE eddy:: DESTINATION ${eddy_package_dir} ${eddy_export_modules})
  endif()
endforeach()
# All that is installed, for builds of nothing else.
add_custom_target(eddy_libraries DEPENDS ${eddy_libraries})
set_target_properties(${eddy_libraries} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${eddy_soversion})

if(TARGET protoc-gen-eddy)
  add_dependencies(eddy_libraries protoc-gen-eddy)
  install(TARGETS protoc-gen-eddy EXPORT eddy_protobuf_targets)
  install(EXPORT eddy_protobuf_targets NAMESPACE eddy:: DESTINATION ${eddy_package_dir})
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/eddy_protobuf.cmake DESTINATION ${eddy_package_dir})
endif()

# `eddy-new NAME` makes a project out of the template.
include(eddy_manual)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/packaging/eddy-new TYPE BIN)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/packaging/template DESTINATION ${CMAKE_INSTALL_DATADIR}/eddy USE_SOURCE_PERMISSIONS)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/template_version CONTENT "${PROJECT_VERSION}\n")
install(FILES ${PROJECT_BINARY_DIR}/template_version DESTINATION ${CMAKE_INSTALL_DATADIR}/eddy/template RENAME version)
eddy_manual(eddy-new packaging/eddy-new)
foreach(program eddy-new protoc-gen-eddy)
  if(TARGET manual_of_${program})
    add_dependencies(eddy_libraries manual_of_${program})
  endif()
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/eddyConfig.cmake.in
  ${PROJECT_BINARY_DIR}/eddyConfig.cmake INSTALL_DESTINATION ${eddy_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/eddyConfigVersion.cmake COMPATIBILITY ${eddy_compatibility})
install(FILES ${PROJECT_BINARY_DIR}/eddyConfig.cmake ${PROJECT_BINARY_DIR}/eddyConfigVersion.cmake
  DESTINATION ${eddy_package_dir})

# The prefix follows the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH eddy_pc_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})

# eddy_cps(<name> <description> <library of ours> <libraries used>): the same for CPS, in the form of its version 0.13.
function(eddy_cps name description ours used)
  string(REPLACE "-" "_" target ${name})
  set(requires "")
  set(components "")
  if(ours)
    set(requires "
  \"requires\": {\"${ours}\": {\"version\": \"${PROJECT_VERSION}\"}},")
    set(components "\"${ours}:${ours}\"")
  endif()
  set(linked "")
  set(type dylib)
  if(eddy_library_type STREQUAL "STATIC_LIBRARY")
    set(type archive)
    string(REPLACE "openssl" "ssl;crypto" used "${used}")
    list(TRANSFORM used REPLACE "^zlib$" "z")
    list(TRANSFORM used REPLACE "^lib(.+)$" "\\1")
    list(JOIN used "\", \"" linked)
    set(linked ", \"link_libraries\": [\"${linked}\"]")
    if(NOT used)
      set(linked "")
    endif()
  endif()
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cps CONTENT "{
  \"cps_version\": \"0.13.0\",
  \"name\": \"${name}\",
  \"description\": \"${description}\",
  \"license\": \"MIT\",
  \"version\": \"${PROJECT_VERSION}\",
  \"compat_version\": \"${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}.0\",
  \"cps_path\": \"@prefix@/${CMAKE_INSTALL_LIBDIR}/cps\",${requires}
  \"default_components\": [\"${name}\"],
  \"components\": {
    \"${name}\": {
      \"type\": \"${type}\",
      \"location\": \"@prefix@/${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:${target}>\",
      \"includes\": {\"cpp\": [\"@prefix@/${CMAKE_INSTALL_INCLUDEDIR}\"]},
      \"compile_features\": [\"c++23\"],
      \"compile_flags\": [\"-pthread\"],
      \"link_flags\": [\"-pthread\"],
      \"requires\": [${components}]${linked}
    }
  }
}
")
  install(FILES ${PROJECT_BINARY_DIR}/${name}.cps DESTINATION ${CMAKE_INSTALL_LIBDIR}/cps)
endfunction()
if(EDDY_INSTALL_CPS AND EDDY_BUILD_MODULES)
  message(FATAL_ERROR "EDDY_INSTALL_CPS: CPS knows no modules, so a program could not import what EDDY_BUILD_MODULES installs")
endif()

# eddy_pkg_config(<name> <description> <libraries of ours> <libraries used>)
function(eddy_pkg_config name description ours used)
  set(eddy_pc_name ${name})
  set(eddy_pc_description "${description}")
  # A static library leaves linking what it uses to its user, a shared one has done it.
  set(eddy_pc_requires "Requires: ${ours}")
  if(eddy_library_type STREQUAL "STATIC_LIBRARY")
    string(STRIP "${ours} ${used}" all)
    set(eddy_pc_requires "Requires: ${all}")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/eddy.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  if(EDDY_INSTALL_CPS)
    string(REPLACE " " ";" used "${used}")
    eddy_cps(${name} "${description}" "${ours}" "${used}")
  endif()
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
eddy_pkg_config_of_part(etcd "etcd for eddy" eddy-rpc protobuf)
eddy_pkg_config_of_part(curl "libcurl for eddy" eddy libcurl)
eddy_pkg_config_of_part(pq "PostgreSQL for eddy" eddy libpq)
eddy_pkg_config_of_part(redis "Redis for eddy" eddy-tls "libcrypto hiredis")
