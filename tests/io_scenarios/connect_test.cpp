// Connecting: to who listens, to who does not, and to who never answers.

#include "io_scenarios/streams.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <cstddef>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace eddy::test::connect_test {
namespace {

task<> connects_before_anybody_accepts() {
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    tcp_stream connected = co_await tcp_stream::connect(listener.local_endpoint());
    require(connected.remote_endpoint() == listener.local_endpoint(), "connected elsewhere");
}

task<> connects_in_time() {
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    auto awaited = with_timeout(tcp_stream::connect(listener.local_endpoint()), long_wait);
    tcp_stream connected = co_await std::move(awaited);
    tcp_stream accepted = co_await listener.accept();
    require(connected.local_endpoint() == accepted.remote_endpoint(), "connected elsewhere");
}

task<> connects_many_at_once() {
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    const endpoint here = listener.local_endpoint();
    const auto made =
        co_await when_all(tcp_stream::connect(here), tcp_stream::connect(here), tcp_stream::connect(here));
    require(std::get<0>(made).is_open() && std::get<1>(made).is_open() && std::get<2>(made).is_open(),
            "not all are connected");
}

/// A port that is taken and at which nobody listens.
class silent_port {
public:
    silent_port()
        : socket_(eddy::detail::worker_core::current().backend(),
                  eddy::detail::worker_core::current().backend().system().sockets->open_socket(
                      endpoint::family::ipv4)) {
        io::backend& backend = socket_.backend();
        if (const int result = backend.system().sockets->bind(socket_.get(), endpoint::loopback_ipv4(0));
            result < 0)
            io::throw_error(result, "bind");
        if (const int result = backend.system().sockets->local_endpoint(socket_.get(), at_); result < 0)
            io::throw_error(result, "getsockname");
    }
    [[nodiscard]] endpoint at() const noexcept { return at_; }

private:
    detail::owned_descriptor socket_;
    endpoint at_;
};

task<> is_refused() {
    const silent_port nobody;
    const auto refused = co_await as_result(tcp_stream::connect(nobody.at()));
    require_error(refused, std::errc::connection_refused, "nobody refused");
}

/// A listener whose backlog is full: the system answers nobody else.
task<> fill(tcp_listener& full, std::vector<tcp_stream>& waiting) {
    constexpr std::size_t places = 2;  // one more than the backlog
    waiting.reserve(places);
    while (waiting.size() < places)
        waiting.push_back(co_await tcp_stream::connect(full.local_endpoint()));
}

task<> gets_no_answer() {
    tcp_listener full = tcp_listener::bind(endpoint::loopback_ipv4(0), listen_options().backlog(1));
    std::vector<tcp_stream> waiting;
    co_await fill(full, waiting);
    auto awaited = with_timeout(tcp_stream::connect(full.local_endpoint()), short_wait);
    const auto late = co_await as_result(std::move(awaited));
    require_error(late, std::errc::timed_out, "somebody answered");
}

task<tcp_stream> connect_later(endpoint to) {
    co_await sleep_for(short_wait);
    co_return co_await tcp_stream::connect(to);
}

task<> races_two_addresses() {
    tcp_listener full = tcp_listener::bind(endpoint::loopback_ipv4(0), listen_options().backlog(1));
    std::vector<tcp_stream> waiting;
    co_await fill(full, waiting);
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    const auto winner =
        co_await race(tcp_stream::connect(full.local_endpoint()), connect_later(listener.local_endpoint()));
    require(winner.index() == 1, "who does not answer has won");
}

const scenario_suite listed({
    {"a_connect", &connects_before_anybody_accepts},
    {"a_connect_in_time", &connects_in_time},
    {"several_connects_at_once", &connects_many_at_once},
    {"a_refused_connect", &is_refused},
    {"a_connect_without_an_answer", &gets_no_answer},
    {"a_race_of_two_connects", &races_two_addresses},
});

}  // namespace
}  // namespace eddy::test::connect_test
