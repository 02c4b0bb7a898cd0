# eddy_manual(<program> <source>): the manual page of a program, and its completion for bash, made out of its --help and
# installed with it. Left out where there is no Python, and where the program does not run on this machine.
find_program(EDDY_PYTHON python3)
function(eddy_manual program source)
  if(NOT EDDY_PYTHON OR CMAKE_CROSSCOMPILING OR EDDY_SANITIZE)
    return()
  endif()
  set(page ${PROJECT_BINARY_DIR}/share/man/man1/${program}.1)
  set(completion ${PROJECT_BINARY_DIR}/share/bash-completion/completions/${program})
  set(options --man ${page})
  set(outputs ${page})
  cmake_parse_arguments(PARSE_ARGV 2 arg "WITHOUT_OPTIONS" "" "")
  if(NOT arg_WITHOUT_OPTIONS)
    list(APPEND options --completion ${completion})
    list(APPEND outputs ${completion})
    install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  endif()
  if(TARGET ${program})
    set(file $<TARGET_FILE:${program}>)
  else()
    set(file ${PROJECT_SOURCE_DIR}/packaging/${program})
  endif()
  cmake_path(ABSOLUTE_PATH source)
  set(generator ${PROJECT_SOURCE_DIR}/packaging/manual.py)
  add_custom_command(OUTPUT ${outputs}
    COMMAND ${EDDY_PYTHON} ${generator} ${file} --source ${source} --version ${PROJECT_VERSION} ${options}
    DEPENDS ${file} ${generator} ${source}
    COMMENT "Writing the manual page of ${program}"
    VERBATIM)
  add_custom_target(manual_of_${program} ALL DEPENDS ${outputs})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()
