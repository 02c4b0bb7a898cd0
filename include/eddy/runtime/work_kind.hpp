#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>

namespace eddy {

/// How long a piece of work keeps a thread of the offload pool.
enum class work_kind : std::uint8_t {
    short_running,  ///< up to some milliseconds: reading a file, resolving a name
    long_running,   ///< longer: such work leaves some of the threads to what is short
};

}  // namespace eddy
