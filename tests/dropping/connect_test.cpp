// A dropped connect closes its descriptor, whether the connection has come about or not.

#include "support/descriptors.hpp"
#include "support/drop_moments.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <array>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace eddy::connect_test {
namespace {

using test::moment;

/// Brings a connect to a listener that answers to the moment.
task<> reach(moment when) {
    co_await yield();
    if (when == moment::posted)
        test::enter_without_reaping();
    if (when == moment::ready)
        co_await test::until_one_is_ready();
}

class a_dropped_connect : public ::testing::TestWithParam<moment> {};

TEST_P(a_dropped_connect, closes_the_connection_that_was_won) {
    const auto main = [](moment when) -> task<> {
        for (int round = 0; round < 20; ++round) {
            co_await test::turns(3);
            const std::size_t before = test::open_descriptors();
            auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
            auto dropped = spawn(tcp_stream::connect(listener.local_endpoint()));
            co_await reach(when);
            EXPECT_FALSE(dropped.done());
            dropped.cancel();
            co_await test::turns(3);
            EXPECT_EQ(test::open_descriptors(), before + 1) << "not but the listener's";
            EXPECT_EQ(runtime::current().metrics(0).connections, 0u);
            if (when == moment::begun && test::is_on_io_uring())
                continue;  // the system was never asked
            auto accepted = co_await listener.accept();
            EXPECT_TRUE((co_await accepted.read_leased()).empty()) << "the peer is there still";
        }
    };
    test::run_bounded(main(GetParam()), test::one_entry_options());
}

INSTANTIATE_TEST_SUITE_P(tcp_stream, a_dropped_connect,
                         ::testing::Values(moment::begun, moment::posted, moment::ready),
                         [](const auto& instance) { return test::to_string(instance.param); });

/// A listener of the system's that has no room and so answers nobody.
class silent_listener {
public:
    silent_listener() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(listener_, any, size), 0);
        EXPECT_EQ(::listen(listener_, 0), 0);
        EXPECT_EQ(::getsockname(listener_, any, &size), 0);
        port_ = ntohs(address.sin_port);
        for (int& each : waiting_) {
            each = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
            static_cast<void>(::connect(each, any, size));
        }
    }
    silent_listener(const silent_listener&) = delete;
    silent_listener& operator=(const silent_listener&) = delete;
    ~silent_listener() {
        for (const int each : waiting_)
            ::close(each);
        ::close(listener_);
    }
    [[nodiscard]] endpoint at() const { return endpoint::loopback_ipv4(port_); }

private:
    int listener_;
    std::uint16_t port_ = 0;
    std::array<int, 4> waiting_{};
};

class a_dropped_connect_that_waits : public ::testing::TestWithParam<moment> {};

TEST_P(a_dropped_connect_that_waits, closes_its_descriptor) {
    const auto main = [](moment when) -> task<> {
        const silent_listener listener;
        const std::size_t before = test::open_descriptors();
        for (int round = 0; round < 20; ++round) {
            auto dropped = spawn(tcp_stream::connect(listener.at()));
            const auto nothing = [] {};
            test::race run(when, nothing);
            co_await run.reach();
            EXPECT_FALSE(dropped.done());
            dropped.cancel();
            co_await test::turns(3);
            EXPECT_EQ(test::open_descriptors(), before);
        }
    };
    test::run_bounded(main(GetParam()), test::one_entry_options());
}

INSTANTIATE_TEST_SUITE_P(tcp_stream, a_dropped_connect_that_waits,
                         ::testing::Values(moment::begun, moment::under_way, moment::under_way_full),
                         [](const auto& instance) { return test::to_string(instance.param); });

TEST(a_connect, whose_result_nobody_took_is_closed) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::size_t before = test::open_descriptors();
        {
            auto ended = spawn(tcp_stream::connect(listener.local_endpoint()));
            co_await test::turns_until([&ended] { return ended.done(); });
            EXPECT_EQ(test::open_descriptors(), before + 1);
        }
        co_await test::turns(2);
        EXPECT_EQ(test::open_descriptors(), before);
    };
    test::run_bounded(main());
}

}  // namespace
}  // namespace eddy::connect_test
