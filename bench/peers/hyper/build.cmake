# cmake -DCARGO= -DSOURCE= -DFOLDER= -DPROGRAM= -DDONE= -P build.cmake: builds the peer in FOLDER, copies it to PROGRAM
# and makes the file DONE. Without its crates, which cargo fetches once, the peer is left out and the build goes on.
file(COPY ${SOURCE}/Cargo.toml ${SOURCE}/src DESTINATION ${FOLDER})
execute_process(
  COMMAND ${CARGO} build --release --quiet
  WORKING_DIRECTORY ${FOLDER}
  RESULT_VARIABLE failed
  ERROR_VARIABLE complaint)
if(failed)
  file(REMOVE ${PROGRAM})
  message("The peer hyper is left out; cargo says:\n${complaint}")
  return()
endif()
file(COPY_FILE ${FOLDER}/target/release/eddy-bench-http-hyper ${PROGRAM} ONLY_IF_DIFFERENT)
file(TOUCH ${DONE})
