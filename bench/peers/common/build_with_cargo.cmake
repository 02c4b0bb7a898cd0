# cmake -DCARGO= -DSOURCE= -DDIRECTORY= -DPROGRAMS= -DINTO= -DPROTO= -DDONE= -P build_with_cargo.cmake: builds a peer in DIRECTORY,
# copies its programs INTO a directory and makes the file DONE. Without its crates, which cargo fetches once, the peer is
# left out and the build goes on.
file(REMOVE_RECURSE ${DIRECTORY}/src)
file(COPY ${SOURCE}/Cargo.toml ${SOURCE}/build.rs ${SOURCE}/src DESTINATION ${DIRECTORY})
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env TEST_SERVICE_PROTO=${PROTO} ${CARGO} build --release --quiet
  WORKING_DIRECTORY ${DIRECTORY}
  RESULT_VARIABLE failed
  ERROR_VARIABLE complaint)
if(failed)
  foreach(program ${PROGRAMS})
    file(REMOVE ${INTO}/${program})
  endforeach()
  message("The programs ${PROGRAMS} are left out; cargo says:\n${complaint}")
  return()
endif()
foreach(program ${PROGRAMS})
  file(COPY_FILE ${DIRECTORY}/target/release/${program} ${INTO}/${program} ONLY_IF_DIFFERENT)
endforeach()
file(TOUCH ${DONE})
