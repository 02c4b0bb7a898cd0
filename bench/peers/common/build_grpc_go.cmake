# cmake -DGO= -DSOURCE= -DDIRECTORY= -DINTO= -DPROTO= -DDONE= -P build_grpc_go.cmake: builds eddy-bench-grpc-go in DIRECTORY, with
# code that protoc makes of the file PROTO, copies it INTO a directory and makes the file DONE. Without protoc, or the
# modules, which go fetches once, it is left out and the build goes on.
set(program eddy-bench-grpc-go)
set(package Mtest_service.proto=eddy.bench/grpc/testing)
cmake_path(GET PROTO PARENT_PATH folder)
file(COPY ${SOURCE}/go.mod ${SOURCE}/grpc.go DESTINATION ${DIRECTORY})
set(go ${CMAKE_COMMAND} -E env GOTOOLCHAIN=local GOFLAGS=-mod=mod GOWORK=off CGO_ENABLED=0 ${GO} build -trimpath -buildvcs=false)

# left_out_if_it_fails(<command...>)
macro(left_out_if_it_fails)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${DIRECTORY} RESULT_VARIABLE failed ERROR_VARIABLE complaint)
  if(failed)
    file(REMOVE ${INTO}/${program})
    message("The program ${program} is left out:\n${complaint}")
    return()
  endif()
endmacro()

left_out_if_it_fails(${go} -o ${DIRECTORY}/ google.golang.org/protobuf/cmd/protoc-gen-go google.golang.org/grpc/cmd/protoc-gen-go-grpc)
foreach(kind go go-grpc)
  left_out_if_it_fails(protoc -I ${folder} --plugin=${DIRECTORY}/protoc-gen-${kind} --${kind}_out=${DIRECTORY}
    --${kind}_opt=module=eddy.bench/grpc,${package} ${PROTO})
endforeach()
left_out_if_it_fails(${go} -o ${INTO}/${program} .)
file(TOUCH ${DONE})
