# eddy_service(<program> DESCRIPTION <text> OPTIONS <text> LISTEN <address>): units of systemd that run a server with these
# options, and that start it when the first client connects to the address; OPTIONS in /etc/default/<program> takes the place of
# the options.
set(EDDY_UNIT_DIR lib/systemd/system CACHE STRING "Where units of systemd are installed, relative to the prefix or absolute")
function(eddy_service program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DESCRIPTION;OPTIONS;LISTEN" "")
  set(description "${arg_DESCRIPTION}")
  set(options "${arg_OPTIONS}")
  set(listen "${arg_LISTEN}")
  foreach(kind service socket)
    configure_file(${PROJECT_SOURCE_DIR}/packaging/systemd/server.${kind}.in ${PROJECT_BINARY_DIR}/units/${program}.${kind} @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/units/${program}.${kind} DESTINATION ${EDDY_UNIT_DIR})
  endforeach()
endfunction()
