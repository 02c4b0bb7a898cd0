// Wrong uses of streams and listeners that would corrupt a program end it with a message, in every build.

#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace eddy::misuse_test {
namespace {

class misuse_death_test : public ::testing::Test {
protected:
    misuse_death_test() { ::testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

task<> read_some(tcp_stream& from) {
    std::array<std::byte, 4> memory{};
    co_await from.read(memory);
}

task<> write_some(tcp_stream& to) {
    co_await to.write_all(as_bytes("some"));
}

task<> read_leased(tcp_stream& from) {
    static_cast<void>(co_await from.read_leased());
}

void use_elsewhere(task<> (*use)(tcp_stream&)) {
    const auto main = [use]() -> task<> {
        auto pair = co_await test::connected_streams();
        const auto elsewhere = [use](tcp_stream* used) -> task<> { co_await use(*used); };
        co_await on(1, elsewhere, &pair.server);
    };
    test::run_bounded(main(), runtime_options().workers(2));
}

TEST_F(misuse_death_test, a_stream_is_used_on_its_own_worker) {
    for (auto* const use : {&read_some, &write_some, &read_leased})
        EXPECT_DEATH(use_elsewhere(use), "is used on a worker that it does not belong to");
}

void accept_twice() {
    const auto accept = [](tcp_listener& listener) -> task<> {
        static_cast<void>(co_await listener.accept());
    };
    const auto main = [accept]() -> task<> {
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto first = spawn(accept(listener));
        auto second = spawn(accept(listener));
        co_await test::turns(2);
    };
    test::run_bounded(main());
}

TEST_F(misuse_death_test, a_listener_has_one_accept_at_a_time) {
    EXPECT_DEATH(accept_twice(), "one accept at a time on a listener");
}

void read_twice(task<> (*first)(tcp_stream&), task<> (*second)(tcp_stream&)) {
    const auto main = [first, second]() -> task<> {
        auto pair = co_await test::connected_streams();
        auto one = spawn(first(pair.server));
        auto other = spawn(second(pair.server));
        co_await test::turns(2);
    };
    test::run_bounded(main());
}

TEST_F(misuse_death_test, a_stream_has_one_read_at_a_time) {
    EXPECT_DEATH(read_twice(&read_some, &read_some), "one read at a time on a stream");
    EXPECT_DEATH(read_twice(&read_leased, &read_leased), "one read at a time on a stream");
    EXPECT_DEATH(read_twice(&read_leased, &read_some), "one read at a time on a stream");
}

template <class Use>
void use_what_was_moved_from(Use use) {
    const auto main = [use]() -> task<> {
        auto pair = co_await test::connected_streams();
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        auto socket = udp_socket::bind(endpoint::loopback_ipv4(0));
        const auto stream_now = std::move(pair.server);
        const auto listener_now = std::move(listener);
        const auto socket_now = std::move(socket);
        // NOLINTNEXTLINE(bugprone-use-after-move): that is the point
        co_await use(pair.server, listener, socket);
    };
    test::run_bounded(main());
}

TEST_F(misuse_death_test, nothing_is_used_that_was_moved_from) {
    constexpr const char* said = "is used that was moved from";
    const auto reads = [](tcp_stream& stream, tcp_listener&, udp_socket&) -> task<> {
        co_await read_some(stream);
    };
    const auto writes = [](tcp_stream& stream, tcp_listener&, udp_socket&) -> task<> {
        co_await write_some(stream);
    };
    const auto accepts = [](tcp_stream&, tcp_listener& listener, udp_socket&) -> task<> {
        static_cast<void>(co_await listener.accept());
    };
    const auto receives = [](tcp_stream&, tcp_listener&, udp_socket& socket) -> task<> {
        std::array<std::byte, 4> memory{};
        co_await socket.receive(memory);
    };
    EXPECT_DEATH(use_what_was_moved_from(reads), said);
    EXPECT_DEATH(use_what_was_moved_from(writes), said);
    EXPECT_DEATH(use_what_was_moved_from(accepts), said);
    EXPECT_DEATH(use_what_was_moved_from(receives), said);
}

void outlive_the_runtime() {
    std::optional<tcp_stream> kept;
    const auto main = [&kept]() -> task<> {
        auto pair = co_await test::connected_streams();
        kept.emplace(std::move(pair.server));
    };
    test::run_bounded(main());
}

void outlive_the_runtime_listening() {
    std::optional<tcp_listener> kept;
    const auto main = [&kept]() -> task<> {
        kept.emplace(tcp_listener::bind(endpoint::loopback_ipv4(0)));
        co_return;
    };
    test::run_bounded(main());
}

TEST_F(misuse_death_test, nothing_open_outlives_its_runtime) {
    constexpr const char* said = "a stream, socket, listener or pipe is open when its runtime ends";
    EXPECT_DEATH(outlive_the_runtime(), said);
    EXPECT_DEATH(outlive_the_runtime_listening(), said);
}

TEST(a_closed_stream, may_outlive_its_runtime) {
    std::optional<tcp_stream> kept;
    const auto main = [&kept]() -> task<> {
        auto pair = co_await test::connected_streams();
        kept.emplace(std::move(pair.server));
        kept->close();
    };
    test::run_bounded(main());
    EXPECT_FALSE(kept->is_open());
}

void destroy_elsewhere() {
    auto made = std::make_unique<runtime>(runtime_options().workers(1));
    const auto main = []() -> task<> {
        static const auto accept = [](tcp_listener own) -> task<> {
            static_cast<void>(co_await own.accept());
        };
        spawn(accept(tcp_listener::bind(endpoint::loopback_ipv4(0)))).detach();
        co_await test::turns(2);
    };
    made->run(main());
    std::thread other([&] { made.reset(); });
    other.join();
}

TEST_F(misuse_death_test, a_runtime_is_destroyed_by_the_thread_that_made_it) {
    EXPECT_DEATH(destroy_elsewhere(), "a runtime is destroyed on a thread that has not made it");
}

}  // namespace
}  // namespace eddy::misuse_test
