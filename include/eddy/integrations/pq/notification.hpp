#pragma once

#include <string>

namespace eddy::pq {

/// What NOTIFY has sent.
struct notification {
    std::string channel;
    std::string payload;
    int process_id = 0;  ///< of the session that sent it
};

}  // namespace eddy::pq
