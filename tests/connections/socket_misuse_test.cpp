// Wrong uses of sockets for datagrams and of pipes that would corrupt a program end it with a message, in every build.

#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/message_socket.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/os/pipe.hpp>
#include <eddy/os/standard_streams.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace eddy::socket_misuse_test {
namespace {

class socket_misuse_death_test : public ::testing::Test {
protected:
    socket_misuse_death_test() { ::testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

/// One of each that is used wrongly.
struct used {
    udp_socket udp = udp_socket::bind(endpoint::loopback_ipv4(0));
    std::pair<local_packets, local_packets> packets = packet_pair();
    pipe_ends ends = pipe();
};

using use = task<> (*)(used&);

task<> receive(used& on) {
    std::array<std::byte, 4> memory{};
    co_await on.udp.receive(memory);
}

task<> receive_batch(used& on) {
    datagram_batch batch(2, 100);
    co_await on.udp.receive_batch(batch);
}

task<> send(used& on) {
    co_await on.udp.send_to(as_bytes("some"), on.udp.local_endpoint());
}

task<> send_batch(used& on) {
    const std::array<outgoing_datagram, 1> sent{outgoing_datagram(as_bytes("some"), on.udp.local_endpoint())};
    co_await on.udp.send_batch(sent);
}

task<> receive_local(used& on) {
    std::array<std::byte, 4> memory{};
    co_await on.packets.first.receive(memory);
}

task<> receive_message(used& on) {
    std::array<std::byte, 4> memory{};
    static_cast<void>(co_await on.packets.first.receive_message(memory));
}

task<> send_message(used& on) {
    co_await on.packets.first.send_message(as_bytes("some"), {});
}

task<> read(used& on) {
    std::array<std::byte, 4> memory{};
    co_await on.ends.reader.read(memory);
}

task<> write(used& on) {
    co_await on.ends.writer.write_all(as_bytes("some"));
}

/// More than the pipe takes.
task<> write_much(used& on) {
    const std::string much(1U << 20U, 'x');
    co_await on.ends.writer.write_all(as_bytes(much));
}

void use_elsewhere(use wrong) {
    const auto main = [wrong]() -> task<> {
        used here;
        const auto elsewhere = [wrong](used* lent) -> task<> { co_await wrong(*lent); };
        co_await on(1, elsewhere, &here);
    };
    test::run_bounded(main(), runtime_options().workers(2));
}

TEST_F(socket_misuse_death_test, each_is_used_on_its_own_worker) {
    constexpr const char* said = "is used on a worker that it does not belong to";
    for (const use wrong : {&receive, &receive_batch, &send, &send_batch, &receive_local, &receive_message,
                            &send_message, &read, &write})
        EXPECT_DEATH(use_elsewhere(wrong), said);
}

void use_twice(use first, use second) {
    const auto main = [first, second]() -> task<> {
        used here;
        auto one = spawn(first(here));
        auto other = spawn(second(here));
        co_await test::turns(2);
    };
    test::run_bounded(main());
}

TEST_F(socket_misuse_death_test, a_socket_has_one_receive_at_a_time) {
    constexpr const char* said = "one receive at a time on a socket";
    EXPECT_DEATH(use_twice(&receive, &receive), said);
    EXPECT_DEATH(use_twice(&receive, &receive_batch), said);
    EXPECT_DEATH(use_twice(&receive_batch, &receive), said);
    EXPECT_DEATH(use_twice(&receive_message, &receive_local), said);
    EXPECT_DEATH(use_twice(&receive_message, &receive_message), said);
}

TEST_F(socket_misuse_death_test, a_pipe_has_one_read_and_one_write_at_a_time) {
    EXPECT_DEATH(use_twice(&read, &read), "one read at a time on a stream");
    EXPECT_DEATH(use_twice(&write_much, &write), "one write at a time on a stream");
}

TEST(a_socket, may_receive_again_after_a_receive_that_was_dropped) {
    const auto main = []() -> task<> {
        used here;
        for (const use dropped : {&receive, &receive_batch, &receive_local, &receive_message, &read}) {
            auto waiting = spawn(dropped(here));
            co_await test::turns(2);
        }
        co_await here.udp.send_to(as_bytes("one"), here.udp.local_endpoint());
        co_await receive(here);
        co_await here.packets.second.send(as_bytes("two"));
        co_await receive_message(here);
        co_await here.ends.writer.write_all(as_bytes("six"));
        co_await read(here);
    };
    test::run_bounded(main());
}

void use_what_was_moved_from(use wrong) {
    const auto main = [wrong]() -> task<> {
        used here;
        const used now = std::move(here);
        co_await wrong(here);  // NOLINT(bugprone-use-after-move): that is the point
    };
    test::run_bounded(main());
}

TEST_F(socket_misuse_death_test, nothing_is_used_that_was_moved_from) {
    for (const use wrong :
         {&receive, &receive_batch, &send_batch, &receive_message, &send_message, &read, &write})
        EXPECT_DEATH(use_what_was_moved_from(wrong), "is used that was moved from");
}

template <class Kept, class Make>
void outlive_the_runtime(Make make) {
    std::optional<Kept> kept;
    const auto main = [&kept, make]() -> task<> {
        kept.emplace(make());
        co_return;
    };
    test::run_bounded(main());
}

TEST_F(socket_misuse_death_test, nothing_open_outlives_its_runtime) {
    constexpr const char* said = "is open when its runtime ends";
    EXPECT_DEATH(outlive_the_runtime<used>([] { return used(); }), said);
    EXPECT_DEATH(outlive_the_runtime<udp_socket>([] { return udp_socket::bind(endpoint::loopback_ipv4(0)); }),
                 said);
    EXPECT_DEATH(outlive_the_runtime<pipe_reader>([] { return pipe().reader; }), said);
    EXPECT_DEATH(outlive_the_runtime<output_stream>(&standard_error), said);
}

TEST(a_closed_socket_or_pipe, may_outlive_its_runtime) {
    std::optional<used> kept;
    const auto main = [&kept]() -> task<> {
        kept.emplace();
        kept->udp.close();
        kept->packets.first.close();
        kept->packets.second.close();
        kept->ends.reader.close();
        kept->ends.writer.close();
        co_return;
    };
    test::run_bounded(main());
    EXPECT_FALSE(kept->udp.is_open());
    EXPECT_FALSE(kept->ends.writer.is_open());
}

}  // namespace
}  // namespace eddy::socket_misuse_test
