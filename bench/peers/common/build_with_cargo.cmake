# cmake -DCARGO= -DSOURCE= -DFOLDER= -DPROGRAMS= -DINTO= -DDONE= -P build_with_cargo.cmake: builds a peer in FOLDER,
# copies its programs INTO a folder and makes the file DONE. Without its crates, which cargo fetches once, the peer is
# left out and the build goes on.
file(REMOVE_RECURSE ${FOLDER}/src)
file(COPY ${SOURCE}/Cargo.toml ${SOURCE}/src DESTINATION ${FOLDER})
execute_process(
  COMMAND ${CARGO} build --release --quiet
  WORKING_DIRECTORY ${FOLDER}
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
  file(COPY_FILE ${FOLDER}/target/release/${program} ${INTO}/${program} ONLY_IF_DIFFERENT)
endforeach()
file(TOUCH ${DONE})
