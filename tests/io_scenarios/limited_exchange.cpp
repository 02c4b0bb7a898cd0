// Runs an exchange on every worker of a runtime, as an ordinary user who may lock so much memory.
//
// Usage: limited_exchange LOCKED_KIB auto|io_uring|epoll WORKERS...
// Prints "<backend>: <exchanges>" for each number of workers, the runtimes all living at the same time, or
// "error: <message>". At a number of 0 those before it end.

#include "support/ordinary_user.hpp"
#include "support/stream_pair.hpp"

#include <eddy/io/buffer.hpp>
#include <eddy/runtime/runtime.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace eddy;

task<std::size_t> exchange(std::size_t) {
    auto pair = co_await test::connected_streams();
    co_await pair.client.write_all(as_bytes("hello"));
    const buffer_lease received = co_await pair.server.read_leased();
    co_return as_text(received.bytes()) == "hello" ? 1 : 0;
}

task<std::size_t> exchange_on_each() {
    auto running = runtime::current().run_on_each(exchange);
    std::size_t done = 0;
    for (auto& each : running)
        done += co_await each;
    co_return done;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4 || !test::become_ordinary_user(std::strtoul(argv[1], nullptr, 10) * 1024))
        return 2;
    // In order with what goes to standard error.
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    try {
        const auto kind = parse_backend_kind(argv[2]).value();
        std::vector<std::unique_ptr<runtime>> made;
        for (const std::string_view workers : std::span(argv, static_cast<std::size_t>(argc)).subspan(3)) {
            if (workers == "0") {
                made.clear();
                continue;
            }
            const auto options = runtime_options().workers(std::stoul(std::string(workers))).backend(kind);
            runtime& current = *made.emplace_back(std::make_unique<runtime>(options));
            const std::size_t done = current.run(exchange_on_each());
            std::printf("%s: %zu\n", std::string(current.backend_name()).c_str(), done);
        }
    } catch (const std::exception& caught) {
        std::printf("error: %s\n", caught.what());
        return 1;
    }
    return 0;
}
