# Installs eddy: every header comes with the library that it belongs to, and those of parts that were not built do not. Then
# compiles what was installed as a program sees it that has more warnings switched on than we have, with each compiler.
# Wants: build_dir, source_dir, left_out, work_dir, compilers, flags.
file(REMOVE_RECURSE ${work_dir})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${build_dir} --prefix ${work_dir}/prefix
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "installing failed:\n${output}")
endif()
set(include_dir ${work_dir}/prefix/include)
file(GLOB_RECURSE headers RELATIVE ${include_dir} ${include_dir}/*.hpp)

file(GLOB_RECURSE expected RELATIVE ${source_dir} ${source_dir}/*.hpp)
foreach(part ${left_out})
  list(FILTER expected EXCLUDE REGEX "^eddy/(integrations/|http/)?${part}(/|\\.hpp$)")
  if(part STREQUAL "http2")
    list(FILTER expected EXCLUDE REGEX "^eddy/http/h2/")
  endif()
endforeach()
set(missing ${expected})
list(REMOVE_ITEM missing ${headers})
set(unexpected ${headers})
list(REMOVE_ITEM unexpected ${expected})
if(missing OR unexpected)
  message(FATAL_ERROR "not installed: ${missing}\ninstalled, but not built: ${unexpected}")
endif()

# These need an implementation of std::execution, which no system here has.
list(FILTER headers EXCLUDE REGEX "^eddy/integrations/execution[./]")
set(source "")
foreach(header ${headers})
  string(APPEND source "#include <${header}>\n")
endforeach()
file(WRITE ${work_dir}/all_headers.cpp "${source}")
foreach(compiler ${compilers})
  execute_process(COMMAND ${compiler} ${flags} -std=c++23 -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only
    -I${include_dir} ${work_dir}/all_headers.cpp
    RESULT_VARIABLE status ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${compiler} complains of the headers:\n${output}")
  endif()
endforeach()
