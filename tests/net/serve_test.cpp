#include "support/run_bounded.hpp"
#include "support/time_bound.hpp"
#include "support/turns.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/serve.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::serve_test {
namespace {

using test::run_bounded;

runtime_options two_workers() {
    return runtime_options().workers(2);
}

task<> echo(tcp_stream client) {
    std::array<std::byte, 64> bytes{};
    while (const std::size_t count = co_await client.read(bytes))
        co_await client.write_all(std::span(bytes).first(count));
}

/// What a server echoes of a text.
task<std::string> echoed(tcp_stream& server, std::string text) {
    co_await server.write_all(as_bytes(text));
    std::string came;
    std::array<std::byte, 64> bytes{};
    while (came.size() < text.size()) {
        const std::size_t count = co_await server.read(bytes);
        if (count == 0)
            break;
        came += as_text(std::span(bytes).first(count));
    }
    co_return came;
}

/// A server under way, and where it listens.
struct served {
    handle<> running;
    endpoint where;
};

template <class Session>
task<served> begin(Session session, serve_options options = {}) {
    std::optional<endpoint> where;
    options.on_listening([&where](const endpoint& at) { where = at; });
    auto running = spawn(serve(endpoint::loopback_ipv4(0), std::move(session), std::move(options)), "server");
    co_await test::turns_until([&where] { return where.has_value(); });
    co_return served{std::move(running), *where};
}

TEST(serve, runs_a_session_for_each_connection_on_the_worker_that_accepted_it) {
    run_bounded(
        []() -> task<> {
            std::mutex lock;
            std::set<std::thread::id> threads;
            const auto session = [&lock, &threads](tcp_stream client) -> task<> {
                {
                    const std::lock_guard guard(lock);
                    threads.insert(std::this_thread::get_id());
                }
                return echo(std::move(client));
            };
            auto server = co_await begin(session);
            EXPECT_NE(server.where.port(), 0);
            std::vector<tcp_stream> clients;
            // The system spreads them by a hash, so both workers have some before long.
            const auto are_both_served = [&lock, &threads] {
                const std::lock_guard guard(lock);
                return threads.size() == 2;
            };
            while (!are_both_served()) {
                clients.push_back(co_await tcp_stream::connect(server.where));
                const std::string came = co_await echoed(clients.back(), "hello");
                EXPECT_EQ(came, "hello");
            }
            server.running.cancel();
        }(),
        two_workers());
}

TEST(serve, closes_listeners_and_connections_when_it_is_dropped) {
    run_bounded(
        []() -> task<> {
            auto server = co_await begin(&echo);
            tcp_stream client = co_await tcp_stream::connect(server.where);
            const std::string came = co_await echoed(client, "x");
            EXPECT_EQ(came, "x");
            server.running.cancel();
            std::array<std::byte, 1> bytes{};
            const auto count = co_await as_result(client.read(bytes));
            EXPECT_TRUE(!count || *count == 0);
            // Listeners of other workers are closed soon after.
            for (bool is_refused = false; !is_refused;) {
                co_await test::turns(1);
                const auto late = co_await as_result(tcp_stream::connect(server.where));
                is_refused = !late;
            }
        }(),
        two_workers());
}

TEST(serve, leaves_connections_beyond_the_limit_in_the_backlog) {
    run_bounded([]() -> task<> {
        auto server = co_await begin(&echo, serve_options().connections_max(1));
        std::optional<tcp_stream> first = co_await tcp_stream::connect(server.where);
        const std::string came = co_await echoed(*first, "first");
        EXPECT_EQ(came, "first");
        tcp_stream second = co_await tcp_stream::connect(server.where);
        auto answer = spawn(echoed(second, "second"));
        const std::string again = co_await echoed(*first, "first again");
        EXPECT_EQ(again, "first again");
        co_await test::turns(5);
        EXPECT_FALSE(answer.done());
        first.reset();
        EXPECT_EQ(co_await answer, "second");
        server.running.cancel();
    }());
}

TEST(serve, goes_on_when_a_session_ends_with_an_error_of_the_system) {
    run_bounded([]() -> task<> {
        const auto session = [](tcp_stream client) -> task<> {
            co_await echo(std::move(client));
            throw std::system_error(std::make_error_code(std::errc::connection_reset));
        };
        auto server = co_await begin(session);
        for (int time = 0; time < 3; ++time) {
            tcp_stream client = co_await tcp_stream::connect(server.where);
            const std::string came = co_await echoed(client, "x");
            EXPECT_EQ(came, "x");
        }
        server.running.cancel();
    }());
}

TEST(serve, reports_what_leaves_a_session_to_the_handler) {
    run_bounded([]() -> task<> {
        std::vector<std::string> said;
        const auto session = [](tcp_stream) -> task<> {
            throw std::runtime_error("no session");
            co_return;
        };
        const auto handler = [&said](std::exception_ptr error) {
            try {
                std::rethrow_exception(error);
            } catch (const std::exception& caught) {
                said.emplace_back(caught.what());
            }
        };
        auto server = co_await begin(session, serve_options().on_error(handler));
        tcp_stream client = co_await tcp_stream::connect(server.where);
        co_await test::turns_until([&said] { return !said.empty(); });
        EXPECT_EQ(said, std::vector<std::string>{"no session"});
        server.running.cancel();
    }());
}

TEST(serve, fails_where_the_port_is_taken_though_it_could_be_shared) {
    run_bounded([]() -> task<> {
        auto other = tcp_listener::bind(endpoint::loopback_ipv4(0), listen_options().reuse_port(true));
        const auto outcome = co_await as_result(serve(other.local_endpoint(), &echo));
        EXPECT_FALSE(outcome);
        EXPECT_EQ(outcome.error(), std::errc::address_in_use);
    }());
}

TEST(run_on_all_cores, has_a_worker_for_each_cpu) {
    const test::time_bound bound;
    const auto count = []() -> task<std::size_t> { co_return runtime::current().workers(); };
    const std::size_t workers = run(count(), all_cores);
    EXPECT_EQ(workers, runtime(runtime_options()).workers());
    EXPECT_EQ(run(count(), all_cores, runtime_options().workers(1)), workers)
        << "the options say nothing else";
}

}  // namespace
}  // namespace eddy::serve_test
