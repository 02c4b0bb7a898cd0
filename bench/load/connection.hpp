#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bench {

// One connection with at most one request under way.
struct connection {
    int fd = -1;
    unsigned index = 0;
    std::uint64_t sequence = 0;  // requests begun so far
    std::uint64_t begun_ns = 0;  // when the one under way was sent
    std::size_t received = 0;    // echo: bytes of its reply so far
    std::string partial;         // http: the reply so far, when it did not come in one piece
};

enum class verdict { incomplete, complete, wrong };

}  // namespace bench
