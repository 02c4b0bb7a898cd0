# Installs eddy into a prefix of its own, moves the prefix, and builds and runs a program
# against it: by find_package, then by pkg-config with a plain call of the compiler.
# Wants: build_dir, work_dir, consumer_dir, generator, compiler, pkg_config, libdir.

function(run what)
  execute_process(COMMAND ${ARGN} TIMEOUT 120 RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
  message(STATUS "${what}: done")
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Where it is installed is not where it is used: nothing may have kept a path.
set(prefix ${work_dir}/prefix)
file(REMOVE_RECURSE ${work_dir})
run("installing" ${CMAKE_COMMAND} --install ${build_dir} --prefix ${work_dir}/first)
file(RENAME ${work_dir}/first ${prefix})

# The path of the loader is for shared builds.
set(ENV{LD_LIBRARY_PATH} ${prefix}/${libdir})
set(ENV{PKG_CONFIG_PATH} ${prefix}/${libdir}/pkgconfig)

run("configuring with find_package" ${CMAKE_COMMAND} -G "${generator}" -S ${consumer_dir} -B ${work_dir}/build
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_BUILD_TYPE=Release)
run("building with find_package" ${CMAKE_COMMAND} --build ${work_dir}/build)
run("the program built with find_package" ${work_dir}/build/consumer)
run("the program with HTTP built with find_package" ${work_dir}/build/web_consumer)

foreach(library_and_source eddy:main eddy-http:web)
  string(REGEX MATCH "(.*):(.*)" ignored ${library_and_source})
  set(library ${CMAKE_MATCH_1})
  set(source ${CMAKE_MATCH_2})
  run("asking pkg-config for ${library}" ${pkg_config} --cflags --libs ${library})
  separate_arguments(flags UNIX_COMMAND "${output}")
  set(program ${work_dir}/${source}_by_pkg_config)
  run("building with pkg-config" ${compiler} -std=c++23 -O2 ${consumer_dir}/${source}.cpp -o ${program} ${flags})
  run("the program built with pkg-config" ${program})
endforeach()
