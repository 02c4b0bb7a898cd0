// What the text quotes.

#include "socket.hpp"
#include "task.hpp"
#include "timeout.hpp"

#include <array>
#include <cstddef>

namespace {

[[maybe_unused]] lab::task<std::size_t> read_in_time(lab::socket& client, lab::duration limit) {
    // [snippet: in-time]
    std::array<std::byte, 1024> bytes;
    const auto read = [&]() -> lab::task<std::size_t> { co_return co_await client.read(bytes); };
    const std::size_t size = co_await lab::with_timeout(limit, read());
    // [/snippet]
    co_return size;
}

}  // namespace
