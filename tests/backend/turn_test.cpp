#include "backend/backend_fixture.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::testing::turn_test {
namespace {

class turn_test : public backend_test {};

TEST_F(turn_test, a_wait_is_never_early) {
    backend().turn(duration::zero());
    for (const duration wait :
         {duration(50us), duration(300us), duration(1ms), duration(1700us), duration(12ms)}) {
        for (int round = 0; round < 5; ++round) {
            const time_point begin = backend().system().clocks->now();
            backend().turn(wait);
            EXPECT_GE(backend().system().clocks->now() - begin, wait);
        }
    }
}

TEST_F(turn_test, a_turn_without_a_wait_returns_at_once) {
    const time_point begin = backend().system().clocks->now();
    for (int round = 0; round < 100; ++round)
        backend().turn(duration::zero());
    EXPECT_LT(backend().system().clocks->now() - begin, 5s);
}

TEST_F(turn_test, a_turn_that_goes_on_with_what_was_found_before_says_that_no_time_has_passed) {
    connection one = connect();
    connection other = connect();
    char bytes[2] = {};
    recorded first(io::opcode::receive, one.near, &bytes[0], 1);
    recorded second(io::opcode::receive, other.near, &bytes[1], 1);
    backend().submit(first);
    backend().submit(second);
    static_cast<void>(backend().turn(duration::zero()));
    one.far.send("x");
    other.far.send("y");
    std::vector<bool> has_looked;
    while (!first.has_ended() || !second.has_ended()) {
        ASSERT_LT(has_looked.size(), 1000);
        has_looked.push_back(backend().turn(10ms));
    }
    EXPECT_TRUE(has_looked.front());
    EXPECT_EQ(has_looked.back(), backend().name() != std::string_view("epoll"));
    backend().close(one.near);
    backend().close(other.near);
}

TEST_F(turn_test, a_turn_that_reports_something_does_not_wait) {
    connection made = connect();
    made.far.send("x");
    char byte = 0;
    recorded receiving(io::opcode::receive, made.near, &byte, 1);
    backend().submit(receiving);
    turn_until([&] { return receiving.has_ended(); });
    backend().submit(receiving);
    backend().cancel(receiving);
    // Would hang if it waited first.
    while (!receiving.is_idle())
        backend().turn(std::nullopt);
    backend().close(made.near);
}

TEST_F(turn_test, no_turn_waits_while_something_that_has_come_is_unreported) {
    std::array<connection, 11> made;
    std::array<char, 11> bytes{};
    std::vector<std::unique_ptr<recorded>> receiving;
    for (std::size_t at = 0; at < made.size(); ++at) {
        made[at] = connect();
        receiving.push_back(std::make_unique<recorded>(io::opcode::receive, made[at].near, &bytes[at], 1));
        backend().submit(*receiving.back());
    }
    backend().turn(duration::zero());
    for (connection& each : made)
        each.far.send("x");
    // Would hang if one did.
    for (const auto& each : receiving)
        while (!each->has_ended())
            backend().turn(std::nullopt);
    for (const connection& each : made)
        backend().close(each.near);
}

TEST_F(turn_test, a_descriptor_with_many_operations_does_not_keep_another_from_its_turn) {
    connection busy = connect();
    connection other = connect();
    constexpr std::size_t many = 500;
    std::string bytes(many, '#');
    std::deque<recorded> receiving;
    for (char& byte : bytes)
        backend().submit(receiving.emplace_back(io::opcode::receive, busy.near, &byte, std::size_t{1}));
    char byte = '#';
    recorded last(io::opcode::receive, other.near, &byte, 1);
    backend().submit(last);
    backend().turn(duration::zero());
    busy.far.send(numbered_text(many));
    other.far.send("x");
    turn_until([&] { return last.has_ended(); });
    // io_uring's completions come in the kernel's order.
    EXPECT_TRUE(!receiving.back().has_ended() || backend().name() == std::string_view("io_uring"));
    turn_until([&] { return std::ranges::all_of(receiving, &recorded::has_ended); });
    EXPECT_EQ(std::ranges::count(bytes, '#'), 0);
    backend().close(busy.near);
    backend().close(other.near);
}

TEST_F(turn_test, a_wake_before_the_wait_is_not_lost) {
    for (int round = 0; round < 10; ++round) {
        std::thread([this] { backend().wake(); }).join();
        backend().turn(std::nullopt);
    }
}

TEST_F(turn_test, a_wake_from_another_thread_ends_a_wait) {
    constexpr int rounds = 200;
    std::atomic<int> requested{0};
    std::atomic<int> answered{0};
    std::thread waker([&] {
        for (int round = 1; round <= rounds; ++round) {
            requested.store(round);
            backend().wake();
            for (int seen = answered.load(); seen < round; seen = answered.load())
                answered.wait(seen);
        }
    });
    for (int round = 1; round <= rounds; ++round) {
        while (requested.load() < round)
            backend().turn(std::nullopt);
        answered.store(round);
        answered.notify_one();
    }
    waker.join();
}

TEST_F(turn_test, many_threads_may_wake_at_once) {
    constexpr int threads = 4;
    constexpr int wakes = 2000;
    std::atomic<int> posted{0};
    std::vector<std::thread> wakers;
    for (int number = 0; number < threads; ++number)
        wakers.emplace_back([&] {
            for (int count = 0; count < wakes; ++count) {
                posted.fetch_add(1);
                backend().wake();
            }
        });
    while (posted.load() < threads * wakes)
        backend().turn(std::nullopt);
    for (std::thread& waker : wakers)
        waker.join();
}

TEST_F(turn_test, a_backend_may_wake_another) {
    std::atomic<io::backend*> other{nullptr};
    std::atomic<bool> is_notified{false};
    std::atomic<bool> has_heard{false};
    std::atomic<bool> is_abandoned{false};
    std::thread thread([&] {
        test_executor executor;
        const std::string_view wanted = backend().name();
        const auto made =
            wanted == "epoll" ? backends::make_epoll_backend({}, executor) : backends::make_uring_backend({});
        other.store(made.get());
        other.notify_one();
        while (!is_notified.load())
            made->turn(std::nullopt);
        has_heard.store(true);
        has_heard.notify_one();
        // Whoever wakes a backend keeps it until the call has returned.
        is_abandoned.wait(false);
        made->drain();
    });
    other.wait(nullptr);
    is_notified.store(true);
    other.load()->wake();
    backend().turn(duration::zero());
    has_heard.wait(false);
    is_abandoned.store(true);
    is_abandoned.notify_one();
    thread.join();
}

/// The descriptors of this process that are rings.
std::set<int> rings() {
    std::set<int> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code is_gone;
        if (std::filesystem::read_symlink(entry, is_gone) == "anon_inode:[io_uring]")
            found.insert(std::stoi(entry.path().filename()));
    }
    return found;
}

/// Keeps messages from the rings that are made during its life: their numbers are those of something else.
class unreachable_rings {
public:
    unreachable_rings() : before_(rings()) {}
    unreachable_rings(const unreachable_rings&) = delete;
    unreachable_rings& operator=(const unreachable_rings&) = delete;
    ~unreachable_rings() { restore(); }

    void restore() {
        for (const auto& [number, kept] : std::exchange(kept_, {})) {
            ::dup2(kept, number);
            ::close(kept);
        }
    }

    void cut_off() {
        for (const int number : rings()) {
            if (before_.contains(number))
                continue;
            kept_.emplace(number, ::dup(number));
            const int other = ::open("/dev/null", O_RDWR | O_CLOEXEC);
            ::dup2(other, number);
            ::close(other);
        }
    }

private:
    std::set<int> before_;
    std::map<int, int> kept_;
};

TEST_F(turn_test, a_backend_wakes_another_that_the_kernel_cannot_send_a_message) {
    std::atomic<io::backend*> other{nullptr};
    std::atomic<bool> is_abandoned{false};
    std::thread thread([&] {
        test_executor executor;
        unreachable_rings cut;
        const auto made = backend().name() == std::string_view("epoll")
                              ? backends::make_epoll_backend({}, executor)
                              : backends::make_uring_backend({});
        cut.cut_off();
        other.store(made.get());
        other.notify_one();
        // Without an end if the message is lost.
        made->turn(std::nullopt);
        // Whoever wakes a backend keeps it until the call has returned.
        is_abandoned.wait(false);
        made->drain();
        cut.restore();
    });
    other.wait(nullptr);
    other.load()->wake_from(backend());
    backend().turn(duration::zero());
    is_abandoned.store(true);
    is_abandoned.notify_one();
    thread.join();
}

TEST_F(turn_test, a_signal_ends_no_operation) {
    struct sigaction ignoring{};
    struct sigaction before{};
    ignoring.sa_handler = [](int) {};
    ASSERT_EQ(::sigaction(SIGUSR2, &ignoring, &before), 0);
    connection made = connect();
    char byte = 0;
    recorded receiving(io::opcode::receive, made.near, &byte, 1);
    backend().submit(receiving);
    const pthread_t self = ::pthread_self();
    std::thread interrupting([&] {
        for (int count = 0; count < 100; ++count)
            ::pthread_kill(self, SIGUSR2);
        made.far.send("x");
    });
    turn_until([&] { return receiving.has_ended(); });
    interrupting.join();
    EXPECT_EQ(receiving.result(), 1);
    ::sigaction(SIGUSR2, &before, nullptr);
    backend().close(made.near);
}

TEST_F(turn_test, the_counters_grow) {
    const auto before = backend().metrics();
    connection made = connect();
    EXPECT_EQ(send(made.near, "x"), 1);
    const auto after = backend().metrics();
    EXPECT_EQ(after.submitted - before.submitted, 2U);
    EXPECT_EQ(after.completions - before.completions, 2U);
    EXPECT_GT(after.kernel_entries, before.kernel_entries);
    backend().close(made.near);
}

TEST_F(turn_test, the_backend_has_a_name) {
    const char* const wanted = std::getenv("EDDY_BACKEND");
    EXPECT_STREQ(backend().name(), wanted != nullptr ? wanted : "epoll");
}

}  // namespace
}  // namespace eddy::testing::turn_test
