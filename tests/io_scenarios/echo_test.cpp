// Servers and clients in one worker: echoes that drain under a deadline, and a proxy between two connections.

#include "io_scenarios/streams.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/sleep.hpp>

#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

namespace eddy::test::echo_test {
namespace {

/// What a failed session means for the scenario: the first error counts.
class session_errors {
public:
    void note(std::exception_ptr thrown) noexcept {
        if (!first_)
            first_ = std::move(thrown);
    }
    /// Nothing if there is none.
    void rethrow() const {
        if (first_)
            std::rethrow_exception(first_);
    }

private:
    std::exception_ptr first_;
};

task<> echo(tcp_stream client) {
    co_await echo_to_end(client);
}

task<> serve(tcp_listener& listener, task_set& sessions) {
    for (;;) {
        std::optional<tcp_stream> client = co_await listener.next();
        if (!client)
            break;
        sessions.spawn(echo(std::move(*client)), "session");
    }
}

task<> ask(endpoint server, std::size_t size) {
    tcp_stream stream = co_await tcp_stream::connect(server);
    co_await when_all(send_and_end(stream, size), read_to_end(stream, size));
}

task<> ask_and_close(tcp_listener& listener) {
    const endpoint server = listener.local_endpoint();
    co_await when_all(ask(server, 1), ask(server, 300), ask(server, 20'000));
    listener.close();
}

task<> drain(task_set& sessions) {
    sessions.close();
    const auto drained = co_await as_result(with_timeout(sessions.join(), long_wait));
    require(drained.has_value(), "the sessions did not end");
    sessions.cancel();
}

task<> serves_and_drains() {
    session_errors errors;
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    {
        task_set sessions([&errors](std::exception_ptr thrown) { errors.note(std::move(thrown)); });
        try {
            co_await when_all(serve(listener, sessions), ask_and_close(listener));
        } catch (...) {
            errors.rethrow();  // of which a client's error is a consequence
            throw;
        }
        co_await drain(sessions);
    }
    errors.rethrow();
}

task<> idle(endpoint server) {
    tcp_stream stream = co_await tcp_stream::connect(server);
    static_cast<void>(co_await as_result(stream.read_leased()));
}

task<> close_later(tcp_listener& listener) {
    co_await sleep_for(short_wait);
    listener.close();
}

task<> drain_what_is_idle(task_set& sessions, tcp_listener& listener) {
    co_await serve(listener, sessions);
    sessions.close();
    // Fewer, if memory was short for longer than the listener was open.
    if (sessions.size() == 2) {
        const auto drained = co_await as_result(with_timeout(sessions.join(), short_wait));
        require_error(drained, std::errc::timed_out, "idle sessions ended by themselves");
    }
    sessions.cancel();
}

task<> cuts_off_who_is_idle() {
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    const endpoint server = listener.local_endpoint();
    task_set sessions([](const std::exception_ptr&) {});
    co_await when_all(drain_what_is_idle(sessions, listener), idle(server), idle(server),
                      close_later(listener));
}

task<> copy(tcp_stream& from, tcp_stream& to) {
    for (;;) {
        const buffer_lease received = co_await from.read_leased();
        if (received.empty())
            break;
        co_await to.write_all(received.bytes());
    }
    co_await to.shutdown();
}

task<> passes_on_between_two_connections() {
    constexpr std::size_t size = 50'000;
    auto front = co_await connected_streams();
    auto back = co_await connected_streams();
    hold_little(front.client);
    hold_little(back.server);
    co_await when_all(copy(front.server, back.client), copy(back.client, front.server),
                      send_and_end(front.client, size), echo_to_end(back.server),
                      read_to_end(front.client, size));
}

task<> races_a_read_and_a_timer() {
    auto pair = co_await connected_streams();
    const auto nothing = co_await race(pair.server.read_leased(), sleep_for(short_wait));
    require(nothing.index() == 1, "something was read");
    co_await pair.client.write_all(numbered_front(100));
    const auto won = co_await race(pair.server.read_leased(), sleep_for(long_wait));
    require(won.index() == 0, "nothing was read");
    const buffer_lease& received = std::get<0>(won);
    require(count_numbered(received.bytes(), 0) == received.size(), "bytes out of place");
}

task<> races_two_streams() {
    auto one = co_await connected_streams();
    auto other = co_await connected_streams();
    co_await other.client.write_all(numbered_front(100));
    const auto won = co_await race(one.server.read_leased(), other.server.read_leased());
    require(won.index() == 1, "read where nothing was sent");
    co_await one.client.write_all(numbered_front(100));
    const buffer_lease late = co_await one.server.read_leased();
    require(count_numbered(late.bytes(), 0) == late.size() && !late.empty(), "the loser lost bytes");
}

const scenario_suite listed({
    {"an_echo_server_that_drains", &serves_and_drains, suite_options().stride(3)},
    {"a_server_with_idle_clients", &cuts_off_who_is_idle},
    {"a_proxy", &passes_on_between_two_connections},
    {"a_race_of_a_read_and_a_timer", &races_a_read_and_a_timer},
    {"a_race_of_two_reads", &races_two_streams},
});

}  // namespace
}  // namespace eddy::test::echo_test
