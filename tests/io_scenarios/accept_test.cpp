// Listeners: connections that are accepted one by one, that wait, and that nobody takes.

#include "io_scenarios/streams.hpp"
#include "support/ipv6.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/net/tcp_listener.hpp>

#include <optional>
#include <system_error>

namespace eddy::test::accept_test {
namespace {

tcp_listener listen() {
    return tcp_listener::bind(endpoint::loopback_ipv4(0));
}

task<> accept_one(tcp_listener& listener) {
    tcp_stream accepted = co_await listener.accept();
    co_await read_to_end(accepted, 100);
}

task<> connect_and_send(endpoint to) {
    tcp_stream connected = co_await tcp_stream::connect(to);
    co_await send_and_end(connected, 100);
}

task<> accepts_one_that_comes_later() {
    tcp_listener listener = listen();
    co_await when_all(accept_one(listener), connect_and_send(listener.local_endpoint()));
}

task<> accepts_one_over_ipv6() {
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv6(0));
    co_await when_all(accept_one(listener), connect_and_send(listener.local_endpoint()));
}

task<> accepts_several_that_wait() {
    tcp_listener listener = listen();
    const endpoint here = listener.local_endpoint();
    tcp_stream first = co_await tcp_stream::connect(here);
    tcp_stream second = co_await tcp_stream::connect(here);
    tcp_stream third = co_await tcp_stream::connect(here);
    for (const tcp_stream* const connected : {&first, &second, &third}) {
        tcp_stream accepted = co_await listener.accept();
        require(accepted.remote_endpoint() == connected->local_endpoint(), "accepted out of order");
    }
}

task<> leaves_connections_to_a_listener_that_ends() {
    tcp_listener listener = listen();
    const endpoint here = listener.local_endpoint();
    tcp_stream first = co_await tcp_stream::connect(here);
    tcp_stream second = co_await tcp_stream::connect(here);
    tcp_stream accepted = co_await listener.accept();
    co_await yield();
}

task<> wait_for_nobody(tcp_listener& listener) {
    const auto accepted = co_await as_result(listener.accept());
    require_error(accepted, std::errc::operation_canceled, "a closed listener accepted");
}

task<> close_listener(tcp_listener& listener) {
    co_await yield();
    listener.close();
}

task<> closes_a_listener_somebody_waits_at() {
    tcp_listener listener = listen();
    co_await when_all(wait_for_nobody(listener), close_listener(listener));
}

task<> serve_until_closed(tcp_listener& listener, int& served) {
    for (;;) {
        std::optional<tcp_stream> client = co_await listener.next();
        if (!client)
            break;
        ++served;
        co_await echo_to_end(*client);
    }
}

task<> visit_and_close(tcp_listener& listener, int visits) {
    for (int at = 0; at < visits; ++at) {
        tcp_stream client = co_await tcp_stream::connect(listener.local_endpoint());
        co_await send_and_end(client, 200);
        co_await read_to_end(client, 200);
    }
    listener.close();
}

task<> takes_a_sequence_until_it_closes() {
    tcp_listener listener = listen();
    int served = 0;
    co_await when_all(serve_until_closed(listener, served), visit_and_close(listener, 3));
    require(served == 3, "another number of connections than visits");
}

task<> gives_up_an_accept_and_accepts_later() {
    tcp_listener listener = listen();
    const auto nobody = co_await as_result(with_timeout(listener.accept(), short_wait));
    require_error(nobody, std::errc::timed_out, "somebody came");
    tcp_stream connected = co_await tcp_stream::connect(listener.local_endpoint());
    tcp_stream accepted = co_await with_timeout(listener.accept(), long_wait);
    require(accepted.remote_endpoint() == connected.local_endpoint(), "somebody else came");
}

task<> drops_an_accept_that_has_won() {
    tcp_listener listener = listen();
    {
        auto dropped = spawn(accept_one(listener));
        co_await yield();
        tcp_stream connected = co_await tcp_stream::connect(listener.local_endpoint());
        co_await yield();
    }
    // Whether the dropped task had taken the first or not, the listener serves the next.
    tcp_stream connected = co_await tcp_stream::connect(listener.local_endpoint());
    tcp_stream accepted = co_await listener.accept();
    while (accepted.remote_endpoint() != connected.local_endpoint())
        accepted = co_await listener.accept();
}

const scenario_suite listed({
    {"an_accept", &accepts_one_that_comes_later},
    listed_scenario("an_accept_over_ipv6", &accepts_one_over_ipv6)
        .needs(&eddy::test::has_ipv6, eddy::test::needs_ipv6),
    {"several_connections_that_wait", &accepts_several_that_wait},
    {"connections_that_nobody_takes", &leaves_connections_to_a_listener_that_ends},
    {"a_listener_closed_while_somebody_waits", &closes_a_listener_somebody_waits_at},
    {"a_sequence_of_connections", &takes_a_sequence_until_it_closes},
    {"an_accept_that_is_given_up", &gives_up_an_accept_and_accepts_later},
    {"an_accept_that_is_dropped", &drops_an_accept_that_has_won},
});

}  // namespace
}  // namespace eddy::test::accept_test
