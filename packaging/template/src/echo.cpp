#include "echo.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace eddy_project {

eddy::task<> echo(eddy::tcp_stream client) {
    std::array<std::byte, 4096> buffer;
    while (const std::size_t count = co_await client.read(buffer))
        co_await client.write_all(std::span(buffer).first(count));
}

}  // namespace eddy_project
