#pragma once

#include <eddy/detail/build.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace eddy::io {

/// What was found on a thread's stack: places in the program's code, innermost first.
struct captured_stack {
    /// The most functions that are captured.
    static constexpr std::size_t depth_max = 48;
    /// Return addresses, the innermost first.
    std::array<void*, depth_max> places{};
    /// How many there are.
    std::size_t depth = 0;
    /// How many of them, from the innermost on, are of what captured it.
    std::size_t inner = 0;
};

/// The places in words, without those of the capturing itself: "function + 0x1f (file)". Whatever the symbol
/// table of the file names is found, static functions and coroutines too. Of a file that was stripped only
/// what it exports is: of a program, what -rdynamic exports; else "file + 0x1234", for addr2line(1).
///
/// Thread safety: any thread. Reads files and takes milliseconds. Throws std::bad_alloc.
[[nodiscard]] std::vector<std::string> symbolised(const captured_stack& stack);

}  // namespace eddy::io
