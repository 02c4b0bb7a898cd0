// Whatever a socket, a backend, a file, a walk or a child is told, work ends; what has no limit succeeds.

#include "support/extremes.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/fs/directory_walk.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/fs/whole_file.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/sockets.hpp>
#include <eddy/net/local_listener.hpp>
#include <eddy/net/serve.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/os/child.hpp>
#include <eddy/os/command.hpp>

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::io_options_test {
namespace {

using test::extremes;
using test::run_bounded;
using test::scratch_directory;
using test::variations;

/// One connection, and some bytes over it.
template <class Listener>
task<> exchange_bytes(Listener& listener, auto connecting) {
    auto [accepted, connected] = co_await when_all(listener.accept(), std::move(connecting));
    co_await connected.write_all(as_bytes(std::string(5000, 'x')));
    co_await connected.shutdown();
    std::array<std::byte, 1000> piece{};
    std::size_t received = 0;
    while (const std::size_t count = co_await accepted.read(piece))
        received += count;
    EXPECT_EQ(received, 5000U);
}

TEST(a_tcp_listener_with_extreme_options, accepts) {
    const auto all = variations(listen_options())
                         .of<int>("backlog", &listen_options::backlog)
                         .of<int>("fast_open_backlog", &listen_options::fast_open_backlog)
                         .of<std::uint32_t>("unsent_bytes_max", &listen_options::unsent_bytes_max)
                         .all();
    for (const auto& each : all)
        run_bounded([](listen_options options, std::string name) -> task<> {
            SCOPED_TRACE(name);
            tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0), options);
            co_await exchange_bytes(listener, tcp_stream::connect(listener.local_endpoint()));
        }(each.options, each.name));
}

TEST(a_local_listener_with_extreme_options, accepts) {
    const auto all = variations(local_listen_options())
                         .of<int>("mode", &local_listen_options::mode)
                         .of<int>("backlog", &local_listen_options::backlog)
                         .all();
    for (const auto& each : all)
        run_bounded([](local_listen_options options, std::string name) -> task<> {
            SCOPED_TRACE(name);
            const scratch_directory place;
            try {
                const auto at = local_endpoint::path(place.at("socket"));
                local_listener listener = local_listener::bind(at, options);
                co_await exchange_bytes(listener, local_stream::connect(at));
            } catch (const std::system_error& error) {  // without the right to write to it
                EXPECT_TRUE(name.starts_with("mode") && error.code() == std::errc::permission_denied)
                    << error.what();
            }
        }(each.options, each.name));
}

TEST(a_server_of_connections_with_an_extreme_limit, serves) {
    for (const std::size_t limit : extremes<std::size_t>())
        if (limit != 0)  // which is required
            run_bounded([](std::size_t connections_max) -> task<> {
                std::optional<endpoint> where;
                const auto send_back = [](tcp_stream client) -> task<> {
                    std::array<std::byte, 100> bytes{};
                    while (const std::size_t count = co_await client.read(bytes))
                        co_await client.write_all(std::span(bytes).first(count));
                };
                const auto options = serve_options()
                                         .connections_max(connections_max)
                                         .on_listening([&where](const endpoint& at) { where = at; });
                const handle<> serving = spawn(serve(endpoint::loopback_ipv4(0), send_back, options));
                co_await test::turns_until([&where] { return where.has_value(); });
                for (int round = 0; round < 2; ++round) {
                    tcp_stream client = co_await tcp_stream::connect(*where);
                    co_await client.write_all(as_bytes("x"));
                    std::array<std::byte, 1> came{};
                    const std::size_t count = co_await client.read(came);
                    EXPECT_EQ(count, 1U) << connections_max;
                }
            }(limit));
}

/// Every option of a socket.
std::vector<io::socket_option> all_socket_options() {
    std::vector<io::socket_option> all;
    for (int number = 0; number <= std::to_underlying(io::socket_option::pass_credentials); ++number)
        all.push_back(static_cast<io::socket_option>(number));
    return all;
}

/// Sets an option, which the system may refuse. Returns whether it took it, and can say what it is then.
template <class Socket>
bool try_to_set(Socket& socket, io::socket_option option, int value) {
    try {
        socket.set_option(option, value);
        static_cast<void>(socket.get_option(option));
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

TEST(a_tcp_stream_with_an_extreme_option, sends_its_bytes) {
    for (const io::socket_option option : all_socket_options())
        for (const int value : extremes<int>())
            run_bounded([](io::socket_option changed, int to) -> task<> {
                SCOPED_TRACE(std::to_string(std::to_underlying(changed)) + " to " + std::to_string(to));
                tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
                const auto connect = [](const endpoint& at, io::socket_option by,
                                        int number) -> task<tcp_stream> {
                    tcp_stream client = co_await tcp_stream::connect(at);
                    const bool is_set = try_to_set(client, by, number);
                    // It would make a close wait.
                    EXPECT_FALSE(is_set && by == io::socket_option::linger_s && number > 0);
                    co_return client;
                };
                try {
                    co_await exchange_bytes(listener, connect(listener.local_endpoint(), changed, to));
                } catch (const std::system_error& error) {
                    EXPECT_TRUE(changed == io::socket_option::user_timeout_ms &&
                                error.code() == std::errc::timed_out)
                        << error.what();
                }
            }(option, value));
}

TEST(a_udp_socket_with_an_extreme_option, sends_its_datagrams) {
    for (const io::socket_option option : all_socket_options())
        for (const int value : extremes<int>())
            run_bounded([](io::socket_option changed, int to) -> task<> {
                SCOPED_TRACE(std::to_string(std::to_underlying(changed)) + " to " + std::to_string(to));
                udp_socket socket = udp_socket::bind(endpoint::loopback_ipv4(0));
                static_cast<void>(try_to_set(socket, changed, to));
                co_await socket.send_to(as_bytes("hello"), socket.local_endpoint());
                std::array<std::byte, 10> bytes{};
                const auto came = co_await socket.receive_from(bytes);
                EXPECT_EQ(came.size, 5U);
            }(option, value));
}

TEST(a_backend_with_extreme_options, works_or_says_why_not) {
    const auto all = variations(io::backend_options())
                         .of<std::size_t>("receive_buffer_bytes", &io::backend_options::receive_buffer_bytes)
                         .of<std::size_t>("receive_buffers_max", &io::backend_options::receive_buffers_max)
                         .of<unsigned>("queue_entries", &io::backend_options::queue_entries)
                         .of<std::uint64_t>("shuffle_seed", &io::backend_options::shuffle_seed)
                         .all();
    for (const auto& each : all) {
        bool has_run = false;
        try {
            run_bounded(
                [](bool& has_ended) -> task<> {
                    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
                    co_await exchange_bytes(listener, tcp_stream::connect(listener.local_endpoint()));
                    has_ended = true;
                }(has_run),
                runtime_options().workers(1).io(each.options));
            EXPECT_TRUE(has_run) << each.name;
        } catch (const std::invalid_argument& refused) {
            EXPECT_FALSE(has_run) << each.name;
        }
    }
}

TEST(a_file_with_extreme_options_and_sizes, is_read_and_written_or_says_why_not) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        co_await fs::write_file(place.at("file"), "content");
        for (const std::size_t limit : extremes<std::size_t>()) {
            const auto read = co_await as_result(fs::read_file(place.at("file"), limit));
            EXPECT_EQ(read.has_value(), limit >= 7) << limit;
        }
        for (const std::uint32_t mode : extremes<std::uint32_t>()) {
            const std::string path = place.at("mode" + std::to_string(mode));
            const auto written = co_await as_result(fs::write_file(path, "content", mode));
            const auto replaced = co_await as_result(fs::replace_file(path, "content", mode));
            // Bits that no mode has are refused.
            EXPECT_TRUE(mode <= 07777 ? written.has_value()
                                      : !written && written.error() == std::errc::invalid_argument)
                << mode;
            EXPECT_EQ(replaced.has_value(), written.has_value()) << mode;
        }
        file opened = co_await fs::open(place.at("file"), open_options().read().write());
        for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{INT64_MAX},
                                          std::uint64_t{INT64_MAX} + 1, UINT64_MAX - 1, UINT64_MAX}) {
            const bool is_small = value <= 1;
            std::array<std::byte, 2> bytes{};
            const auto read = co_await as_result(opened.read_at(bytes, value));
            EXPECT_TRUE(!is_small || read) << value;
            const auto written = co_await as_result(opened.write_at(bytes, value));
            EXPECT_EQ(written.has_value(), is_small) << value;
            EXPECT_EQ((co_await as_result(opened.allocate(value, 1))).has_value(), is_small) << value;
            EXPECT_EQ((co_await as_result(opened.allocate(0, value))).has_value(), value == 1) << value;
            EXPECT_EQ((co_await as_result(opened.truncate(value))).has_value(), is_small) << value;
            opened.seek(value);
            EXPECT_TRUE(!is_small || co_await as_result(opened.read(bytes))) << value;
        }
    }());
}

TEST(a_walk_with_an_extreme_depth, comes_to_an_end) {
    run_bounded([]() -> task<> {
        const scratch_directory place;
        co_await fs::create_directories(place.at("a/b"));
        for (const std::uint32_t depth : extremes<std::uint32_t>()) {
            auto walk = fs::walk(place.root(), walk_options().depth_max(depth));
            std::size_t found = 0;
            while (auto entry = co_await walk.next())
                ++found;
            EXPECT_EQ(found, depth > 1 ? 2U : 1U) << depth;
        }
    }());
}

TEST(a_child_with_an_extreme_grace, ends) {
    for (const duration grace : extremes<duration>())
        run_bounded([](duration period) -> task<> {
            child stopped = co_await command("sleep").argument("1000").start();
            const exit_status status = co_await stopped.stop(period);
            EXPECT_TRUE(status.signal() == SIGTERM ||
                        (status.signal() == SIGKILL && period < duration::max()));
            child dropped = co_await command("sleep").argument("1000").grace(period).start();
        }(grace));
}

}  // namespace
}  // namespace eddy::io_options_test
