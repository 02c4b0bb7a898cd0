#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace eddy::apps {

/// What the program has done, counted by all workers.
class broadcast_figures {
public:
    std::atomic<std::size_t> connections{0};
    std::atomic<std::uint64_t> said{0};       // lines of this node's clients
    std::atomic<std::uint64_t> heard{0};      // lines of other nodes
    std::atomic<std::uint64_t> delivered{0};  // sent to receivers' connections
    std::atomic<std::uint64_t> dropped{0};    // oldest lines of receivers that were too slow
    std::atomic<std::uint64_t> shown_out{0};  // receivers that were too slow
    std::atomic<std::uint64_t> refused{0};    // connections beyond the limit
};

/// A connection's place among the permitted ones; returned when it is destroyed.
class connection_place {
public:
    connection_place(broadcast_figures& figures, std::size_t connections_max) noexcept
        : figures_(figures), is_taken_(figures.connections.fetch_add(1) < connections_max) {
        if (!is_taken_)
            figures_.refused.fetch_add(1, std::memory_order_relaxed);
    }
    connection_place(const connection_place&) = delete;
    connection_place& operator=(const connection_place&) = delete;
    ~connection_place() { figures_.connections.fetch_sub(1); }

    [[nodiscard]] bool is_taken() const noexcept { return is_taken_; }

private:
    broadcast_figures& figures_;
    bool is_taken_;
};

}  // namespace eddy::apps
