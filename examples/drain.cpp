// A server that drains: it takes no more clients, lets those that are there finish, and drops the rest.
//
//     build/release/examples/drain
//
// Its two clients are in the program as well. It prints:
//
//     2 sessions when the signal comes
//     1 session left after the deadline
//     0 sessions left after cancel()
//     the client that stayed sees the end of the stream

#include <eddy/eddy.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <span>
#include <utility>

using namespace std::chrono_literals;

// [snippet: serve]
eddy::task<> echo(eddy::tcp_stream stream) {
    std::array<std::byte, 4096> buffer;
    while (const std::size_t count = co_await stream.read(buffer))
        co_await stream.write_all(std::span(buffer).first(count));
}

eddy::task<> serve(eddy::tcp_listener listener, eddy::task_set& sessions) {
    while (true) {
        co_await sessions.fewer_than(1'000);  // clients that cannot be served yet wait in the listener
        sessions.spawn(echo(co_await listener.accept()), "session");
    }
}
// [/snippet]

// [snippet: drain]
eddy::task<> drain(eddy::task_set& sessions) {
    sessions.close();  // no more tasks
    const auto joined = co_await eddy::as_result(eddy::with_timeout(sessions.join(), 1s));
    if (!joined)
        std::printf("%zu session left after the deadline\n", sessions.size());
    sessions.cancel();  // sessions that have not finished are dropped
    std::printf("%zu sessions left after cancel()\n", sessions.size());
}
// [/snippet]

void report_error(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& caught) {
        std::fprintf(stderr, "a session has failed: %s\n", caught.what());
    }
}

eddy::task<eddy::tcp_stream> served_client(eddy::endpoint server) {
    auto stream = co_await eddy::tcp_stream::connect(server);
    std::array<std::byte, 5> buffer;
    co_await stream.write_all(std::as_bytes(std::span("hello", 5)));
    co_await stream.read(buffer);
    co_return stream;
}

eddy::task<> program() {
    // [snippet: program]
    eddy::signal_set ending({SIGINT, SIGTERM});
    eddy::task_set sessions(report_error);
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    const eddy::endpoint address = listener.local_endpoint();
    eddy::handle<> serving = eddy::spawn(serve(std::move(listener), sessions), "serving");
    // [/snippet]

    auto leaving = co_await served_client(address);
    auto staying = co_await served_client(address);
    std::raise(SIGTERM);

    co_await ending.wait();
    std::printf("%zu sessions when the signal comes\n", sessions.size());
    leaving.close();
    serving.cancel();  // the listener is closed with its task
    co_await drain(sessions);

    std::array<std::byte, 1> buffer;
    if (const std::size_t count = co_await staying.read(buffer); count == 0)
        std::puts("the client that stayed sees the end of the stream");
}

int main() {
    eddy::run(program());
}
