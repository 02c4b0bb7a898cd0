# Flags that every target of this project is built with; none of them reaches the users of the library.
add_library(eddy_options INTERFACE)
target_compile_options(eddy_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
if(EDDY_SANITIZE)
  add_compile_options(-fsanitize=${EDDY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${EDDY_SANITIZE})
endif()
