#pragma once

#include "buffers.hpp"
#include "support/ring_world.hpp"
#include "tcp.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace lab_test {

/// A ring, buffers and a loop.
struct world {
    explicit world(unsigned buffers = 256, std::size_t size = 1024) : pool(watched.ring, buffers, size) {}
    watched_ring watched;
    lab::buffers pool;
    lab::loop loop{watched};
};

inline lab::task<std::string> read_text(lab::stream& from) {
    const lab::lease got = co_await from.read();
    co_return text_of(got.bytes());
}

inline lab::task<> read_into(lab::stream& from, std::string& text, bool& is_done) {
    text = co_await read_text(from);
    is_done = true;
}

/// Ends a connection by a reset.
inline void reset(int descriptor) {
    const linger at_once{1, 0};
    ::setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    ::close(descriptor);
}

inline lab::task<> wait_until(const bool& is_done) {
    while (!is_done)
        co_await lab::sleep(std::chrono::milliseconds(1));
}

}  // namespace lab_test
