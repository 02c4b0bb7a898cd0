#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bench {

// One connection with at most one request under way.
struct connection {
    int fd = -1;
    unsigned index = 0;
    std::uint64_t sequence = 0;    // requests begun so far
    std::uint64_t begun_ns = 0;    // when the one under way was sent
    std::span<const char> unsent;  // what is left of it
    std::size_t received = 0;      // bytes of its reply so far
    std::size_t expected = 0;      // bytes of the whole reply; 0 until that is known
    std::vector<char> reply;       // used by protocols that need the reply in one piece
};

enum class verdict { incomplete, complete, wrong };

}  // namespace bench
