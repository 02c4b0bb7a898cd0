// Prints what a suspended session of an echo server holds in memory: its coroutine frame, and its job beside
// it.
//   build/bench/bin/eddy-check-frames
#include <eddy/eddy.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>

namespace {

std::size_t allocated_bytes = 0;

}  // namespace

// Frames come from a cache that takes whole blocks of 64 bytes from here.
[[gnu::noinline]] void* operator new(std::size_t size) {
    allocated_bytes += size;
    if (void* const made = std::malloc(size))
        return made;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* at) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::size_t) noexcept {
    std::free(at);
}

namespace {

using eddy::task;

task<> echo_into(eddy::tcp_stream& stream, std::span<std::byte> buffer) {
    while (const std::size_t count = co_await stream.read(buffer))
        co_await stream.write_all(buffer.first(count));
}

task<> echo_leased(eddy::tcp_stream& stream) {
    for (;;) {
        const eddy::buffer_lease lease = co_await stream.read_leased();
        if (lease.empty())
            co_return;
        co_await stream.write_all(lease.bytes());
    }
}

task<> one(int& out) {
    co_await eddy::yield();
    out = 1;
}

/// What a task holds while it waits, without its job.
template <class... T>
task<std::size_t> bytes_of(task<> (*make)(T...), T... arguments) {
    eddy::detail::frame_cache::trim();
    const std::size_t before = allocated_bytes;
    const auto waiting = eddy::spawn(make(arguments...));
    co_await eddy::yield();
    co_return allocated_bytes - before - sizeof(eddy::detail::job);
}

task<> measure() {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    auto client = co_await eddy::tcp_stream::connect(listener.local_endpoint());
    auto server = co_await listener.accept();
    std::array<std::byte, 16> buffer{};
    int number = 0;
    fmt::print("a task<int> object                            {:4} bytes\n", sizeof(task<int>));
    fmt::print("the job of a spawned task                     {:4} bytes\n", sizeof(eddy::detail::job));
    const std::size_t least = co_await bytes_of<int&>(one, number);
    fmt::print("the frame of a task that yields               {:4} bytes\n", least);
    const std::size_t own =
        co_await bytes_of<eddy::tcp_stream&, std::span<std::byte>>(echo_into, server, buffer);
    fmt::print("the frame of a waiting echo session           {:4} bytes\n", own);
    const std::size_t leased = co_await bytes_of<eddy::tcp_stream&>(echo_leased, server);
    fmt::print("the frame of a waiting echo session, leased   {:4} bytes\n", leased);
}

}  // namespace

int main() {
    eddy::run(measure());
}
