# Flags that every target of this project is built with; none of them reaches the users of the library.
add_library(eddy_options INTERFACE)
target_compile_options(eddy_options INTERFACE
  -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual
  # clang's -Wshadow lets a constructor's parameter bear the name of a member; g++ has to be told.
  $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>
  # g++ 12 sees overlapping copies in `"x" + std::string` where there are none (GCC bug 105651), and types of anonymous
  # namespaces in headers where several sources are compiled as one.
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-subobject-linkage>")

# A compiler cache is used where there is one; set CMAKE_CXX_COMPILER_LAUNCHER to choose for yourself.
find_program(EDDY_CCACHE ccache)
if(EDDY_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # It has to be told what may be overlooked where a header is compiled beforehand (its manual, "Precompiled headers").
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${EDDY_CCACHE})
endif()

# LLVM's linker takes a third of the time that the system's takes for each of the test programs.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld EDDY_HAS_LLD)
if(EDDY_HAS_LLD AND PROJECT_IS_TOP_LEVEL)
  add_link_options(-fuse-ld=lld)
endif()

# Headers that most sources of a library or a program include are compiled once for all of them: they take longer than most
# sources. In our presets only. The preset gcc and clang-tidy compile without, so the sources include all that they need.
option(EDDY_PRECOMPILE_HEADERS "Compile the headers beforehand that most sources include" OFF)
set(eddy_standard_headers <algorithm> <array> <atomic> <bit> <charconv> <chrono> <concepts> <coroutine> <cstddef> <cstdint>
  <cstring> <exception> <expected> <functional> <limits> <map> <memory> <mutex> <new> <optional> <ranges> <span> <stop_token>
  <string> <string_view> <system_error> <tuple> <type_traits> <unordered_map> <utility> <variant> <vector>)
# eddy_precompile(<target> PRIVATE <header>... | REUSE_FROM <target>): as target_precompile_headers(), where it is wanted.
function(eddy_precompile target)
  # g++ 12 does not know any more that a header was the system's once it was compiled beforehand, and, when it optimises,
  # warns wrongly of what it inlines from there.
  if(EDDY_PRECOMPILE_HEADERS AND (CMAKE_BUILD_TYPE STREQUAL "Debug" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU"))
    # Without its time in it, or no compiler cache could know it again.
    target_compile_options(${target} PRIVATE "$<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>>")
    target_precompile_headers(${target} ${ARGN})
  endif()
endfunction()

if(EDDY_SANITIZE)
  add_compile_options(-fsanitize=${EDDY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${EDDY_SANITIZE})
endif()
