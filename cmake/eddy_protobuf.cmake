# eddy_protobuf(<target> [PRIVATE] FILES <file>... [IMPORT_DIRS <directory>...])
#
# Generates the messages and services of .proto files and adds them to a target, a library or a program:
#
#     find_package(eddy REQUIRED)
#     add_executable(server server.cpp)
#     eddy_protobuf(server FILES route_guide.proto)
#
# makes route_guide.pb.h and .pb.cc with protobuf's generator, route_guide.eddy.hpp and .eddy.cpp with protoc-gen-eddy,
# and links the target with eddy::rpc and protobuf.
#
#   FILES        relative to the calling directory. A file is included as it is imported: by its path from the first of
#                IMPORT_DIRS that holds it.
#   PRIVATE      only the target itself finds the headers, and is compiled with eddy::rpc and protobuf
#   IMPORT_DIRS  where imports are looked for, besides protobuf's own files; the calling directory without any
#
# They are made again when a file, or one that it imports, has changed. What links with the target finds the headers too.
# Files that one target's import from another's are linked with, not generated twice:
#
#     eddy_protobuf(messages FILES point.proto)
#     eddy_protobuf(server FILES guide.proto)
#     target_link_libraries(server PRIVATE messages)

# Finds protobuf: by its own package where it has one, which knows what newer versions are linked with.
macro(eddy_find_protobuf)
  if(NOT TARGET protobuf::libprotobuf)
    find_package(Protobuf CONFIG QUIET GLOBAL)
  endif()
  if(NOT TARGET protobuf::libprotobuf)
    find_package(Protobuf REQUIRED GLOBAL)
  endif()
endmacro()

function(eddy_protobuf target)
  eddy_find_protobuf()
  cmake_parse_arguments(PARSE_ARGV 1 arg "PRIVATE" "" "FILES;IMPORT_DIRS")
  if(NOT arg_FILES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "eddy_protobuf(<target> [PRIVATE] FILES <file>... [IMPORT_DIRS <directory>...])")
  endif()
  if(NOT arg_IMPORT_DIRS)
    set(arg_IMPORT_DIRS .)
  endif()
  set(imports "")
  foreach(directory ${arg_IMPORT_DIRS})
    cmake_path(ABSOLUTE_PATH directory BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    list(APPEND imports ${directory})
  endforeach()
  list(TRANSFORM imports PREPEND -I OUTPUT_VARIABLE import_options)

  # Of each target a directory, so that two of them may have generated the same file.
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}_protobuf)
  file(MAKE_DIRECTORY ${out})
  foreach(file ${arg_FILES})
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    set(name "")
    foreach(directory ${imports})
      cmake_path(IS_PREFIX directory ${file} NORMALIZE is_inside)
      if(is_inside AND NOT name)
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${directory} OUTPUT_VARIABLE name)
      endif()
    endforeach()
    if(NOT name)
      message(FATAL_ERROR "eddy_protobuf: ${file} is in none of IMPORT_DIRS: ${imports}")
    endif()
    cmake_path(REMOVE_EXTENSION name LAST_ONLY OUTPUT_VARIABLE stem)
    # The first is the one that stands first in what protoc says they depend on, as Ninja wants.
    set(generated ${out}/${stem}.eddy.cpp ${out}/${stem}.pb.cc)
    add_custom_command(
      OUTPUT ${generated} ${out}/${stem}.pb.h ${out}/${stem}.eddy.hpp
      COMMAND protobuf::protoc --plugin=protoc-gen-eddy=$<TARGET_FILE:eddy::protoc-gen-eddy>
        ${import_options} --cpp_out=${out} --eddy_out=${out} --dependency_out=${out}/${stem}.d ${file}
      DEPENDS ${file} eddy::protoc-gen-eddy protobuf::protoc
      DEPFILE ${out}/${stem}.d
      COMMENT "Generating ${stem}.pb.h and ${stem}.eddy.hpp"
      VERBATIM)
    # Generated code is not for our warnings, and its headers clash with those that a target has compiled beforehand.
    set_source_files_properties(${generated} PROPERTIES COMPILE_OPTIONS -w SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(${target} PRIVATE ${generated} ${out}/${stem}.pb.h ${out}/${stem}.eddy.hpp)
  endforeach()
  set(scope PUBLIC)
  if(arg_PRIVATE)
    set(scope PRIVATE)
  endif()
  target_include_directories(${target} SYSTEM ${scope} $<BUILD_INTERFACE:${out}>)
  target_link_libraries(${target} ${scope} eddy::rpc protobuf::libprotobuf)
endfunction()
