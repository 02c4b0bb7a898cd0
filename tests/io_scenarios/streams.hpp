#pragma once

#include "support/numbered_bytes.hpp"
#include "support/scenario_suite.hpp"
#include "support/stream_pair.hpp"

#include <eddy/core/task.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Steps of which scenarios over streams are made. Numbered bytes show what is lost, doubled or out of place.

namespace eddy::test {

/// Numbered bytes, from 0 on: sent by scenarios without memory of their own, whose allocation would be one
/// more that fails.
inline const auto numbered = [] {
    std::array<std::byte, 400'000> bytes{};
    fill_numbered(bytes, 0);
    return bytes;
}();

[[nodiscard]] inline std::span<const std::byte> numbered_front(std::size_t size) noexcept {
    return std::span(numbered).first(size);
}

/// Lets a stream's sending side hold little, so that writing waits for the reader. Not the receiving side: a
/// window smaller than loopback's packets lets the system wait 200 ms before it tries again.
inline void hold_little(tcp_stream& stream) {
    stream.set_option(io::socket_option::send_buffer_bytes, 16'384);
}

/// The time in which what never comes is waited for.
inline constexpr auto short_wait = std::chrono::milliseconds(1);
/// The time in which what does come has come, on however slow a machine.
inline constexpr auto long_wait = std::chrono::seconds(30);

/// Sends the first bytes of numbered and ends the stream.
inline task<> send_and_end(tcp_stream& to, std::size_t size) {
    const std::size_t sent = co_await to.write_all(numbered_front(size));
    require(sent == size, "a write of all wrote less");
    co_await to.shutdown();
}

/// Takes bytes until the end of the stream, into borrowed memory.
inline task<> read_to_end(tcp_stream& from, std::size_t size) {
    std::array<std::byte, 8192> out{};
    std::uint64_t place = 0;
    for (;;) {
        const std::size_t count = co_await from.read(out);
        if (count == 0)
            break;
        require(count_numbered(std::span(out).first(count), place) == count, "bytes out of place");
        place += count;
    }
    require(place == size, "another number of bytes arrived than were sent");
}

/// The same by leases.
inline task<> read_leases_to_end(tcp_stream& from, std::size_t size) {
    std::uint64_t place = 0;
    for (;;) {
        const buffer_lease received = co_await from.read_leased();
        if (received.empty())
            break;
        require(count_numbered(received.bytes(), place) == received.size(), "bytes out of place");
        place += received.size();
    }
    require(place == size, "another number of bytes arrived than were sent");
}

/// Sends back what comes until the end of the stream, and ends it then.
inline task<> echo_to_end(tcp_stream& stream) {
    for (;;) {
        const buffer_lease received = co_await stream.read_leased();
        if (received.empty())
            break;
        co_await stream.write_all(received.bytes());
    }
    co_await stream.shutdown();
}

/// Closes so that the peer sees a reset.
inline void reset(tcp_stream& stream) {
    stream.set_option(io::socket_option::linger_s, 0);
    stream.close();
}

}  // namespace eddy::test
