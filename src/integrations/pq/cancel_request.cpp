#include "cancel_request.hpp"

#include <eddy/io/local_endpoint.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/resolver.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::pq::detail {
namespace {

constexpr std::size_t request_size = 16;
constexpr std::int32_t cancel_code = 80'877'102;  // 1234 and 5678, where other requests have a version

void put(std::span<std::byte> out, std::int32_t value) noexcept {
    const auto bits = static_cast<std::uint32_t>(value);
    for (std::size_t index = 0; index < 4; ++index)
        out[index] = static_cast<std::byte>(bits >> (24 - 8 * index));
}

/// The server closes the connection once the request has been passed on, without an answer.
template <class Stream>
task<> exchange_with(Stream server, std::array<std::byte, request_size> request) {
    co_await server.write_all(std::span<const std::byte>(request));
    std::array<std::byte, request_size> ignored{};
    for (;;) {
        const std::size_t count = co_await server.read(ignored);
        if (count == 0)
            co_return;
    }
}

}  // namespace

task<> cancel_request::send() const {
    std::array<std::byte, request_size> request{};
    const std::span<std::byte> bytes(request);
    put(bytes, static_cast<std::int32_t>(request_size));
    put(bytes.subspan(4), cancel_code);
    put(bytes.subspan(8), process_);
    put(bytes.subspan(12), secret_);
    if (address_.starts_with('/') || address_.starts_with('@')) {
        const std::string path = address_ + "/.s.PGSQL." + port_;
        const eddy::local_endpoint to = path.starts_with('@')
                                            ? eddy::local_endpoint::abstract(std::string_view(path).substr(1))
                                            : eddy::local_endpoint::path(path);
        auto server = co_await local_stream::connect(to);
        co_await exchange_with(std::move(server), request);
    } else {
        const std::vector<endpoint> found = co_await resolve(address_, port_);
        auto server = co_await tcp_stream::connect(found.front());
        co_await exchange_with(std::move(server), request);
    }
}

}  // namespace eddy::pq::detail
