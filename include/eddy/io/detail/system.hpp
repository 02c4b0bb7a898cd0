#pragma once

#include <eddy/io/detail/clocks.hpp>
#include <eddy/io/detail/descriptors.hpp>
#include <eddy/io/detail/file_system.hpp>
#include <eddy/io/detail/randomness.hpp>
#include <eddy/io/detail/sockets.hpp>

namespace eddy::io {

class names;
class processes;
class terminals;

/// Everything that touches the operating system and is no operation, by topic: the second half of the seam
/// between eddy and its world. What takes time belongs to the backend, which holds the one that fits it.
///
/// A value that refers to its topics, none of which is null, so that one topic can be replaced and the others
/// stay. Clocks, sockets and descriptors belong to a worker and live as long as its backend; the other topics
/// are for every thread and outlive the runtime.
struct system {
    io::clocks* clocks = nullptr;
    io::sockets* sockets = nullptr;
    io::descriptors* descriptors = nullptr;
    io::file_system* files = nullptr;
    io::randomness* randomness = nullptr;
    io::names* names = nullptr;
    io::processes* processes = nullptr;
    io::terminals* terminals = nullptr;
};

}  // namespace eddy::io
