# The port of a registry names the commit of a release. EDDY_SOURCE in the environment, where a triplet passes it on, names a tree
# to build instead.
if(DEFINED ENV{EDDY_SOURCE})
  set(SOURCE_PATH $ENV{EDDY_SOURCE})
else()
  vcpkg_from_git(OUT_SOURCE_PATH SOURCE_PATH
    URL "${EDDY_REPOSITORY}" REF "${EDDY_COMMIT}" FETCH_REF "v${VERSION}")
endif()

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES
  http EDDY_BUILD_HTTP
  http2 EDDY_BUILD_HTTP2
  rpc EDDY_BUILD_RPC
  rpc EDDY_BUILD_PROTOBUF
  etcd EDDY_BUILD_ETCD
  curl EDDY_BUILD_CURL
  pq EDDY_BUILD_PQ
  redis EDDY_BUILD_REDIS)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${features} -DEDDY_BUILD_APPS=OFF -DEDDY_BUILD_EXAMPLES=OFF -DEDDY_BUILD_TESTS=OFF
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/eddy)
vcpkg_fixup_pkgconfig()
if(EXISTS "${CURRENT_PACKAGES_DIR}/bin/protoc-gen-eddy")
  vcpkg_copy_tools(TOOL_NAMES protoc-gen-eddy eddy-new AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
