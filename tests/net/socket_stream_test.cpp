#include "support/numbered_text.hpp"
#include "support/run_bounded.hpp"
#include "support/runs_in_order.hpp"
#include "support/seed.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/socket_stream.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <fstream>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <span>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::socket_stream_test {
namespace {

using io::socket_option;
using test::connected_streams;
using test::run_bounded;

TEST(socket_stream, keeps_the_options_of_tcp) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        constexpr std::array<std::pair<socket_option, int>, 5> set{
            {{socket_option::keep_alive, 1},
             {socket_option::keep_alive_idle_s, 30},
             {socket_option::keep_alive_interval_s, 5},
             {socket_option::keep_alive_probes, 4},
             {socket_option::user_timeout_ms, 20'000}}};
        for (const auto& [option, value] : set) {
            pair.client.set_option(option, value);
            EXPECT_EQ(pair.client.get_option(option), value);
            EXPECT_NE(pair.server.get_option(option), value) << "set on another socket";
        }
        EXPECT_EQ(pair.client.get_option(socket_option::linger_s), -1);
        pair.client.set_option(socket_option::linger_s, 0);
        EXPECT_EQ(pair.client.get_option(socket_option::linger_s), 0);
        pair.client.close();
        const auto reset = co_await as_result(pair.server.read_leased());
        EXPECT_EQ(reset.error(), std::errc::connection_reset);
    };
    run_bounded(main());
}

/// Whether the system lets connections begin with data at both ends, as few do by themselves.
bool has_fast_open() {
    int bits = 0;
    std::ifstream("/proc/sys/net/ipv4/tcp_fastopen") >> bits;
    return (bits & 3) == 3;
}

// Nothing that it awaits ever has to wait.
task<> talk_to_itself_until(const bool& is_over) {
    auto [left, right] = socket_pair();
    std::array<std::byte, 8> memory{};
    while (!is_over) {
        co_await left.write_all(as_bytes("again"));
        const std::size_t size = co_await right.read(memory);
        EXPECT_EQ(size, 5U);
    }
}

TEST(socket_stream, lets_timers_and_other_tasks_have_their_turn_while_it_never_waits) {
    const auto main = []() -> task<> {
        bool is_over = false;
        auto talking = spawn(talk_to_itself_until(is_over));
        co_await sleep_for(std::chrono::milliseconds(1));
        auto pair = co_await connected_streams();
        co_await pair.client.write_all(as_bytes("stop"));
        std::array<std::byte, 8> memory{};
        co_await pair.server.read(memory);
        is_over = true;
        co_await talking;
    };
    run_bounded(main());
}

constexpr std::size_t piece_bytes = 65'536;

task<> write_pieces(tcp_stream& to, int count) {
    const std::vector<std::byte> piece(piece_bytes);
    while (--count >= 0)
        co_await to.write_all(piece);
    co_await to.shutdown();
}

task<> read_pieces(tcp_stream& from, int& count) {
    std::vector<std::byte> piece(piece_bytes);
    for (;;) {
        const std::size_t size = co_await from.read(piece);
        if (size == 0)
            co_return;
        ++count;
    }
}

task<> read_leases(tcp_stream& from, int& count) {
    while (true) {
        const buffer_lease lease = co_await from.read_leased();
        if (lease.empty())
            co_return;
        ++count;
    }
}

TEST(socket_stream, asks_the_system_for_little_in_vain_while_two_tasks_of_one_worker_keep_pace) {
    if (!test::runs_in_order())
        GTEST_SKIP() << test::needs_order;
    const auto main = []() -> task<> {
        constexpr int pieces = 2000;
        auto pair = co_await connected_streams();
        const auto entries = [] { return runtime::current().metrics(0).backend.kernel_entries; };
        const std::uint64_t entries_before = entries();
        int reads = 0;
        auto reading = spawn(read_pieces(pair.server, reads));
        co_await write_pieces(pair.client, pieces);
        co_await reading;
        // One write and one read a piece, and what waiting takes now and then.
        EXPECT_LT(entries() - entries_before, pieces * 14 / 5) << reads << " reads";
    };
    run_bounded(main());
}

task<> read_one_byte(tcp_stream& from, bool& has_read) {
    std::array<std::byte, 1> memory{};
    co_await from.read(memory);
    has_read = true;
}

TEST(socket_stream, tells_who_has_waited_for_long_soon_while_others_never_wait) {
    const auto main = [](bool by_lease) -> task<> {
        auto idle = co_await connected_streams();
        auto busy = co_await connected_streams();
        bool has_read = false;
        auto waiting = spawn(read_one_byte(idle.server, has_read));
        int reads = 0;
        auto reading = spawn(by_lease ? read_leases(busy.server, reads) : read_pieces(busy.server, reads));
        const std::vector<std::byte> piece(piece_bytes);
        for (int written = 0; written < 200; ++written)
            co_await busy.client.write_all(piece);
        co_await idle.client.write_all(as_bytes("x"));
        int written = 0;
        for (; !has_read && written < 1000; ++written)
            co_await busy.client.write_all(piece);
        EXPECT_LT(written, 64);
        co_await waiting;
        co_await busy.client.shutdown();
        co_await reading;
    };
    for (const bool by_lease : {false, true})
        run_bounded(main(by_lease));
}

TEST(socket_stream, gives_what_has_arrived_without_waiting_for_more) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        std::array<std::byte, 100> memory{};
        EXPECT_EQ(pair.server.try_read(memory), 0U);
        co_await pair.client.write_all(as_bytes("abcdef"));
        const buffer_lease first = co_await pair.server.read_leased();
        EXPECT_EQ(as_text(first.bytes()), "abcdef");
        EXPECT_EQ(pair.server.try_read(memory), 0U);
        co_await pair.client.shutdown();
        const std::size_t last = co_await pair.server.read(memory);
        EXPECT_EQ(last, 0U);
        EXPECT_EQ(pair.server.try_read(memory), 0U);
        pair.server.close();
        EXPECT_EQ(pair.server.try_read(memory), 0U);
    };
    run_bounded(main());
}

task<> write_in_pieces(tcp_stream& to, const std::string& text) {
    auto generator = test::seeded_generator();
    for (std::size_t begin = 0; begin != text.size();) {
        const auto size = std::min(test::between<std::size_t>(generator, 1, 150'000), text.size() - begin);
        co_await to.write_all(as_bytes(text).subspan(begin, size));
        begin += size;
        if (test::between(generator, 0, 3) == 0)
            co_await yield();
    }
    co_await to.shutdown();
}

TEST(socket_stream, loses_no_byte_between_reads_that_wait_and_reads_that_do_not) {
    const auto main = [](std::string text) -> task<> {
        auto pair = co_await connected_streams();
        auto writing = spawn(write_in_pieces(pair.client, text));
        auto generator = test::seeded_generator();
        std::string received;
        std::vector<std::byte> memory(200'000);
        std::size_t taken_without_waiting = 0;
        for (bool has_ended = false; !has_ended;) {
            const buffer_lease lease = co_await pair.server.read_leased();
            has_ended = lease.empty();
            received += as_text(lease.bytes());
            // Large ones change how the stream receives, small ones do not, and long rows of neither end
            // that.
            for (int tries = test::between(generator, 0, 3); tries > 0 && !has_ended; --tries) {
                const auto size = test::between<std::size_t>(generator, 1, memory.size());
                const std::span out(memory.data(), size);
                const std::size_t count = pair.server.try_read(out);
                received += as_text(out.first(count));
                taken_without_waiting += count;
            }
            for (int reads = test::between(generator, 0, 40); reads > 30 && !has_ended; --reads) {
                const std::size_t count = co_await pair.server.read(std::span(memory).first(100));
                has_ended = count == 0;
                received += as_text(std::span(memory).first(count));
            }
        }
        co_await writing;
        EXPECT_EQ(received.size(), text.size());
        EXPECT_TRUE(received == text);
        EXPECT_GT(taken_without_waiting, 0U);
    };
    auto generator = test::seeded_generator();
    std::string text(20'000'000, '\0');
    for (char& each : text)
        each = static_cast<char>(test::between(generator, 0, 255));
    run_bounded(main(std::move(text)));
}

TEST(socket_stream, sends_what_goes_without_waiting) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        const std::string text = test::numbered_text(1 << 20);
        std::size_t sent = 0;
        // Until the system takes no more.
        for (int tries = 0; tries < 64; ++tries) {
            const const_buffer parts[] = {const_buffer("head", 4), const_buffer(text)};
            const std::size_t taken = pair.client.try_write(parts);
            sent += taken;
            if (taken != text.size() + 4)
                break;
        }
        EXPECT_GT(sent, 0U);
        EXPECT_LT(sent, 64 * text.size());
        co_await pair.client.shutdown();
        std::string received;
        for (buffer_lease lease = co_await pair.server.read_leased(); !lease.empty();
             lease = co_await pair.server.read_leased())
            received += as_text(lease.bytes());
        EXPECT_EQ(received.size(), sent);
        for (std::size_t at = 0; at < received.size(); at += text.size() + 4)
            EXPECT_TRUE(("head" + text).starts_with(received.substr(at, text.size() + 4)));
        pair.client.close();
        const const_buffer late[] = {const_buffer("late", 4)};
        EXPECT_EQ(pair.client.try_write(late), 0U);
    };
    run_bounded(main());
}

TEST(socket_stream, ends_a_write_that_waits_when_it_is_closed) {
    const auto main = []() -> task<> {
        auto pair = co_await connected_streams();
        const auto write_much = [](tcp_stream& to) -> task<> {
            const std::vector<std::byte> much(20'000'000);
            const auto ended = co_await as_result(to.write_all(much));
            EXPECT_EQ(ended.error(), std::errc::operation_canceled);
        };
        auto writing = spawn(write_much(pair.client));
        co_await test::turns(5);
        EXPECT_FALSE(writing.done());
        pair.client.close();
        co_await test::turns(20);
        EXPECT_TRUE(writing.done());
    };
    run_bounded(main());
}

TEST(socket_stream, reads_nothing_of_the_connection_that_has_its_descriptor_now) {
    const auto main = []() -> task<> {
        auto closed = co_await connected_streams();
        closed.client.close();
        closed.server.close();
        co_await test::turns(2);
        auto next = co_await connected_streams();
        co_await next.client.write_all(as_bytes("to the server"));
        co_await next.server.write_all(as_bytes("to the client"));
        for (tcp_stream* const stream : {&closed.client, &closed.server}) {
            const auto leased = co_await as_result(stream->read_leased());
            EXPECT_EQ(leased.error(), std::errc::operation_canceled);
            std::array<std::byte, 8> memory{};
            EXPECT_EQ(stream->try_read(memory), 0U);
            const auto read = co_await as_result(stream->read(memory));
            EXPECT_EQ(read.error(), std::errc::operation_canceled);
        }
        const buffer_lease at_server = co_await next.server.read_leased();
        const buffer_lease at_client = co_await next.client.read_leased();
        EXPECT_EQ(as_text(at_server.bytes()), "to the server");
        EXPECT_EQ(as_text(at_client.bytes()), "to the client");
    };
    run_bounded(main());
}

TEST(socket_stream, may_begin_with_data) {
    const auto main = []() -> task<> {
        tcp_listener listener =
            tcp_listener::bind(endpoint::loopback_ipv4(0), listen_options().fast_open_backlog(16));
        // The first connection learns what the others may do.
        for (int round = 0; round < 3; ++round) {
            const auto options = connect_options().fast_open(true);
            tcp_stream client = co_await tcp_stream::connect(listener.local_endpoint(), options);
            co_await client.write_all(as_bytes("first"));
            co_await client.write_all(as_bytes("second"));
            tcp_stream server = co_await listener.accept();
            std::array<std::byte, 11> memory{};
            for (std::size_t total = 0; total < memory.size();)
                total += co_await server.read(std::span(memory).subspan(total));
            EXPECT_EQ(as_text(memory), "firstsecond");
            const io::plain_descriptor socket = client.release();
            tcp_info reported{};
            socklen_t size = sizeof(reported);
            EXPECT_EQ(::getsockopt(socket.get(), IPPROTO_TCP, TCP_INFO, &reported, &size), 0);
            constexpr unsigned data_with_beginning = 32;  // TCPI_OPT_SYN_DATA
            if (round > 0 && has_fast_open()) {
                EXPECT_NE(reported.tcpi_options & data_with_beginning, 0U);
            }
        }
    };
    run_bounded(main());
}

TEST(socket_stream, connects_from_where_it_is_told) {
    const auto main = []() -> task<> {
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto from = endpoint::ipv4({127, 0, 0, 2}, 0);
        const auto options = connect_options().from(from);
        tcp_stream client = co_await tcp_stream::connect(listener.local_endpoint(), options);
        tcp_stream server = co_await listener.accept();
        EXPECT_EQ(server.remote_endpoint(), client.local_endpoint());
        EXPECT_EQ(client.local_endpoint().address()[3], 2);
        const auto foreign = connect_options().from(endpoint::ipv4({203, 0, 113, 1}, 0));
        const auto refused = co_await as_result(tcp_stream::connect(listener.local_endpoint(), foreign));
        EXPECT_EQ(refused.error(), std::errc::address_not_available);
    };
    run_bounded(main());
}

template <class Stream>
task<> ends_by_halves(Stream& left, Stream& right) {
    co_await left.write_all(as_bytes("question"));
    co_await left.shutdown();
    std::array<std::byte, 16> memory{};
    std::size_t size = co_await right.read(memory);
    EXPECT_EQ(size, 8U);
    size = co_await right.read(memory);
    EXPECT_EQ(size, 0U);
    co_await right.write_all(as_bytes("answer"));
    size = co_await left.read(memory);
    EXPECT_EQ(size, 6U);
    co_await right.shutdown(direction::receiving);
    const auto late = co_await as_result(left.write(as_bytes("x")));
    EXPECT_EQ(late.error(), std::errc::broken_pipe);
}

TEST(socket_stream, ends_by_halves_whatever_it_is_made_of) {
    const auto main = []() -> task<> {
        auto tcp = co_await connected_streams();
        co_await ends_by_halves(tcp.client, tcp.server);
        auto local = socket_pair();
        co_await ends_by_halves(local.first, local.second);
    };
    run_bounded(main());
}

/// Two ends of a local connection that the test has made itself, in either mode.
std::array<int, 2> plain_pair(bool is_blocking) {
    std::array<int, 2> ends{-1, -1};
    const int kind = SOCK_STREAM | SOCK_CLOEXEC | (is_blocking ? 0 : SOCK_NONBLOCK);
    EXPECT_EQ(::socketpair(AF_UNIX, kind, 0, ends.data()), 0);
    return ends;
}

TEST(socket_stream, takes_over_sockets_that_wait_and_that_do_not) {
    const auto main = []() -> task<> {
        for (const bool is_blocking : {true, false}) {
            const auto ends = plain_pair(is_blocking);
            local_stream left(ends[0]);
            local_stream right(ends[1]);
            std::array<std::byte, 4> memory{};
            for (const bool is_leased : {false, true}) {
                auto reading = spawn(
                    [](local_stream& from, std::span<std::byte> into, bool by_lease) -> task<std::size_t> {
                        if (!by_lease)
                            co_return co_await from.read(into);
                        const buffer_lease lease = co_await from.read_leased();
                        co_return lease.size();
                    }(right, memory, is_leased));
                co_await test::turns(3);
                EXPECT_FALSE(reading.done()) << "it reads before anything is there";
                co_await left.write_all(as_bytes("word"));
                const std::size_t size = co_await std::move(reading);
                EXPECT_EQ(size, 4U);
            }
            // More than the system takes at once.
            const std::vector<std::byte> much(2'000'000);
            auto writing = spawn([](local_stream& to, std::span<const std::byte> bytes) -> task<> {
                co_await to.write_all(bytes);
            }(left, much));
            std::size_t total = 0;
            while (total < much.size()) {
                const buffer_lease lease = co_await right.read_leased();
                total += lease.size();
            }
            co_await std::move(writing);
            EXPECT_EQ(::fcntl(ends[0], F_GETFL) & O_NONBLOCK, is_blocking ? 0 : O_NONBLOCK)
                << "the mode may be shared with another process";
        }
    };
    run_bounded(main());
}

TEST(socket_stream, says_that_a_file_is_no_socket) {
    const auto main = []() -> task<> {
        local_stream file(::open("/dev/null", O_RDWR | O_CLOEXEC));
        std::array<std::byte, 4> memory{};
        const auto read = co_await as_result(file.read(memory));
        EXPECT_EQ(read.error(), std::errc::not_a_socket);
        const auto written = co_await as_result(file.write_all(as_bytes("x")));
        EXPECT_EQ(written.error(), std::errc::not_a_socket);
        const std::array<int, 1> passed{STDERR_FILENO};
        const auto sent = co_await as_result(file.send_message(as_bytes("x"), passed));
        EXPECT_EQ(sent.error(), std::errc::not_a_socket);
        const auto ended = co_await as_result(file.shutdown());
        EXPECT_EQ(ended.error(), std::errc::not_a_socket);
        EXPECT_THROW(static_cast<void>(file.credentials()), std::system_error);
        local_stream leased(::open("/dev/null", O_RDWR | O_CLOEXEC));
        const auto lease = co_await as_result(leased.read_leased());
        EXPECT_EQ(lease.error(), std::errc::not_a_socket);
    };
    run_bounded(main());
}

void ignore_signal(int) {}

TEST(socket_stream, goes_on_when_a_signal_interrupts_the_worker) {
    struct sigaction interrupting{};
    interrupting.sa_handler = &ignore_signal;  // without SA_RESTART
    struct sigaction before{};
    ASSERT_EQ(::sigaction(SIGUSR1, &interrupting, &before), 0);
    const auto main = []() -> task<> {
        auto [left, right] = socket_pair();
        const pthread_t worker = ::pthread_self();
        std::atomic<bool> is_over = false;
        std::jthread interrupter([&] {
            while (!is_over) {
                ::pthread_kill(worker, SIGUSR1);
                std::this_thread::yield();
            }
        });
        const std::vector<std::byte> much(20'000'000);
        auto writing = spawn([](local_stream& to, std::span<const std::byte> bytes) -> task<> {
            co_await to.write_all(bytes);
        }(left, much));
        std::size_t total = 0;
        while (total < much.size()) {
            const buffer_lease lease = co_await right.read_leased();
            if (lease.empty())
                break;
            total += lease.size();
        }
        EXPECT_EQ(total, much.size());
        co_await std::move(writing);
        is_over = true;
        interrupter.join();
    };
    run_bounded(main());
    ::sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace eddy::socket_stream_test
