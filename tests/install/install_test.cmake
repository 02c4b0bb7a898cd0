# Installs eddy into a prefix of its own, moves the prefix, and builds and runs programs against it with each compiler, by
# find_package and by pkg-config: one for each library, and a plugin. Then programs that are built in another way than
# the library, which must not link.
# Wants: build_dir, work_dir, consumer_dir, generator, compilers, parts, has_protobuf, has_cps, flags, link_flags, libdir.

function(run what)
  execute_process(COMMAND ${ARGN} TIMEOUT 400 RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
  message(STATUS "${what}: done")
endfunction()

# refused(<what> <message> <command>...): the command fails, and says why.
function(refused what message)
  execute_process(COMMAND ${ARGN} TIMEOUT 120 RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status EQUAL 0 OR NOT output MATCHES "${message}")
    message(FATAL_ERROR "${what} should fail with '${message}' (${status}):\n${output}")
  endif()
  message(STATUS "${what}: refused")
endfunction()

# Where it is installed is not where it is used: nothing may have kept a path.
set(prefix ${work_dir}/prefix)
file(REMOVE_RECURSE ${work_dir})
run("installing" ${CMAKE_COMMAND} --install ${build_dir} --prefix ${work_dir}/first)
file(RENAME ${work_dir}/first ${prefix})

# CMake 4.3 takes them before the package's configuration, which alone knows the parts.
if(EXISTS ${prefix}/${libdir}/cps AND NOT has_cps)
  message(FATAL_ERROR ".cps files are installed without EDDY_INSTALL_CPS")
endif()

# The path of the loader is for shared builds.
set(ENV{LD_LIBRARY_PATH} ${prefix}/${libdir})
set(ENV{PKG_CONFIG_PATH} "${prefix}/${libdir}/pkgconfig:$ENV{PKG_CONFIG_PATH}")

string(REPLACE ";" "," parts_with_commas "${parts}")  # a list would be taken apart on its way
foreach(compiler ${compilers})
  cmake_path(GET compiler FILENAME compiler_name)
  foreach(by package pkg-config)
    set(way "${by} and ${compiler_name}")
    set(build ${work_dir}/${compiler_name}-${by})
    run("configuring with ${way}" ${CMAKE_COMMAND} -G ${generator} -S ${consumer_dir} -B ${build} -DBY=${by}
      -DPARTS=${parts_with_commas} "-DCMAKE_CXX_FLAGS=${flags}" -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${compiler}
      -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXE_LINKER_FLAGS=${link_flags} -DCMAKE_MODULE_LINKER_FLAGS=${link_flags})
    run("building with ${way}" ${CMAKE_COMMAND} --build ${build})
    foreach(part ${parts})
      run("the program with ${part} by ${way}" ${build}/use_${part})
    endforeach()
    if(has_protobuf AND by STREQUAL "package")
      run("the program with protobuf by ${way}" ${build}/use_protobuf)
    endif()
    if(EXISTS ${build}/plugin_host)
      run("the plugin by ${way}" ${build}/plugin_host ${build}/libplugin.so)
    endif()
  endforeach()

  file(GLOB library ${prefix}/${libdir}/libeddy.*)
  list(GET library 0 library)
  set(compile ${compiler} ${flags} -I${prefix}/include ${consumer_dir}/built_otherwise.cpp -o ${work_dir}/built_otherwise ${link_flags})
  run("linking what is built alike with ${compiler_name}" ${compile} -std=c++23 ${library} -luring -pthread)
  refused("linking with a sanitizer with ${compiler_name}" "a_sanitizer"
    ${compile} -std=c++23 -D__SANITIZE_ADDRESS__ ${library} -luring -pthread)
  if(NOT flags MATCHES "libc\\+\\+")
    refused("linking with _GLIBCXX_DEBUG and ${compiler_name}" "libstdcxx_with_GLIBCXX_DEBUG"
      ${compile} -std=c++23 -D_GLIBCXX_DEBUG ${library} -luring -pthread)
  endif()
  refused("C++20 with ${compiler_name}" "eddy needs C\\+\\+23" ${compile} -std=c++20 -fsyntax-only)
endforeach()
