// Forbids itself io_uring by a system call filter, as containers do, and runs an echo exchange.
//
// Usage: filtered_exchange EPERM|ENOSYS|none auto|io_uring|epoll
// Prints "<backend>: <echo>" per runtime, twice, or "error: <message>".

#include "support/stream_pair.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/runtime/runtime.hpp>

#include <seccomp.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

namespace {

bool forbid_io_uring(int error) {
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    const bool is_loaded = filter != nullptr &&
                           seccomp_rule_add(filter, SCMP_ACT_ERRNO(static_cast<unsigned>(error)),
                                            SCMP_SYS(io_uring_setup), 0) == 0 &&
                           seccomp_load(filter) == 0;
    seccomp_release(filter);
    return is_loaded;
}

eddy::task<std::string> exchange() {
    auto pair = co_await eddy::test::connected_streams();
    co_await pair.client.write_all(eddy::as_bytes("hello"));
    std::array<std::byte, 5> memory;
    std::size_t count = 0;
    while (count < memory.size())
        count += co_await pair.server.read(std::span(memory).subspan(count));
    co_await pair.server.write_all(memory);
    auto echoed = co_await pair.client.read_leased();
    std::string text(eddy::runtime::current().backend_name());
    text += ": ";
    text += eddy::as_text(echoed.bytes());
    co_return text;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3)
        return 2;
    const std::string_view filter = argv[1];
    if (filter != "none" && !forbid_io_uring(filter == "EPERM" ? EPERM : ENOSYS))
        return 3;
    try {
        const auto kind = eddy::parse_backend_kind(argv[2]).value();
        for (int round = 0; round < 2; ++round) {
            const auto options = eddy::runtime_options().workers(2).backend(kind);
            std::printf("%s\n", eddy::run(exchange(), options).c_str());
        }
    } catch (const std::exception& caught) {
        std::printf("error: %s\n", caught.what());
        return 1;
    }
    return 0;
}
