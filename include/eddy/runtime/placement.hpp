#pragma once

#include <cstdint>

namespace eddy {

/// How runtime::spawn() chooses a worker.
enum class placement : std::uint8_t {
    least_loaded,  ///< the one with the fewest tasks that came from other workers and have not ended
    round_robin,   ///< one after the other
};

}  // namespace eddy
