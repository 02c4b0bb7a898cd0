// eddy-check-withdraw [times]: how long it takes to drop a pending read, until nothing of it is left in the
// system. Prints the median and the tail for io_uring and epoll.
#include <eddy/eddy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

using namespace std::chrono_literals;

eddy::task<> read_into(eddy::tcp_stream& stream, std::span<std::byte> out) {
    co_await stream.read(out);
}
eddy::task<> read_lease(eddy::tcp_stream& stream) {
    static_cast<void>(co_await stream.read_leased());
}

template <class Read>
eddy::task<std::vector<double>> drop_repeatedly(std::size_t times, Read read) {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    auto near = co_await eddy::tcp_stream::connect(listener.local_endpoint());
    auto far = co_await listener.accept();
    std::vector<double> took_ns;
    took_ns.reserve(times);
    for (std::size_t time = 0; time < times; ++time) {
        auto pending = eddy::spawn(read(far));
        co_await eddy::sleep_for(0ns);  // a turn: the read is with the system now
        const auto before = eddy::clock::now();
        pending.cancel();
        took_ns.push_back(std::chrono::duration<double, std::nano>(eddy::clock::now() - before).count());
    }
    // What was not lost: a byte sent now is read now.
    co_await near.write_all(eddy::as_bytes("x"));
    if (const auto lease = co_await far.read_leased(); lease.size() != 1)
        std::abort();
    std::ranges::sort(took_ns);
    co_return took_ns;
}

void print(std::string_view what, const std::vector<double>& sorted_ns) {
    const auto at = [&](double part) {
        return sorted_ns[static_cast<std::size_t>(part * static_cast<double>(sorted_ns.size() - 1))];
    };
    fmt::print("{:<30} {:>9} drops   median {:>6.0f} ns   p99 {:>6.0f} ns   p99.9 {:>7.0f} ns\n", what,
               sorted_ns.size(), at(0.5), at(0.99), at(0.999));
}

}  // namespace

int main(int count, char** arguments) {
    const std::size_t times = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1'000'000;
    if (times == 0) {
        fmt::print(stderr, "usage: eddy-check-withdraw [times]\n");
        return 2;
    }
    for (const auto kind : {eddy::backend_kind::io_uring, eddy::backend_kind::epoll}) {
        const auto options = eddy::runtime_options().backend(kind);
        std::array<std::byte, 64> memory{};
        const auto borrowed = [&](eddy::tcp_stream& stream) { return read_into(stream, memory); };
        print(fmt::format("{}: read", to_string(kind)), eddy::run(drop_repeatedly(times, borrowed), options));
        print(fmt::format("{}: read_leased", to_string(kind)),
              eddy::run(drop_repeatedly(times, read_lease), options));
    }
}
