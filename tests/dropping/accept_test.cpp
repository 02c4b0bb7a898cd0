// A dropped accept loses no connection: the one that had come is what the next accept gives.

#include "support/descriptors.hpp"
#include "support/drop_moments.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace eddy::accept_test {
namespace {

using test::moment;
using test::plain_socket;
using test::race;

std::uint16_t port_of(const plain_socket& client) {
    sockaddr_in local{};
    socklen_t size = sizeof(local);
    EXPECT_EQ(::getsockname(client.descriptor(), reinterpret_cast<sockaddr*>(&local), &size), 0);
    return ntohs(local.sin_port);
}

task<tcp_stream> accept_from(tcp_listener& listener) {
    co_return co_await listener.accept();
}

/// Clients of one listener, in the order of their coming.
class clients {
public:
    explicit clients(const tcp_listener& listener) : port_(listener.local_endpoint().port()) {}

    void come(std::size_t count) {
        for (; count > 0; --count)
            come_.push_back(plain_socket::connect(port_));
    }
    /// Accepts all that have come and were not accepted, and checks the order.
    task<> accept_all(tcp_listener& listener) {
        for (; accepted_ < come_.size(); ++accepted_) {
            const auto accepted = co_await listener.accept();
            EXPECT_EQ(accepted.remote_endpoint().port(), port_of(come_[accepted_])) << accepted_;
        }
    }
    std::vector<plain_socket>& all() { return come_; }

private:
    std::uint16_t port_;
    std::vector<plain_socket> come_;
    std::size_t accepted_ = 0;
};

class a_dropped_accept : public ::testing::TestWithParam<moment> {};

TEST_P(a_dropped_accept, leaves_the_connection_to_the_next) {
    const auto main = [](moment when) -> task<> {
        for (const bool goes_on : {false, true}) {
            auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
            clients all(listener);
            if (goes_on) {  // the listener's accept is under way from here on
                all.come(1);
                co_await all.accept_all(listener);
            }
            for (int round = 0; round < 10; ++round) {
                race run(when, [&all] { all.come(2); });
                auto dropped = spawn(accept_from(listener));
                // An accept that finds a connection which the listener holds is no operation.
                co_await run.reach();
                run.drop(dropped);
                run.win();
                co_await all.accept_all(listener);
            }
        }
    };
    test::run_bounded(main(GetParam()), test::one_entry_options());
}

TEST_P(a_dropped_accept, leaves_no_descriptor_when_its_listener_goes) {
    const auto main = [](moment when) -> task<> {
        co_await test::turns(2);
        const std::size_t before = test::open_descriptors();
        for (int round = 0; round < 10; ++round) {
            std::vector<plain_socket> come;
            {
                auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
                clients all(listener);
                race run(when, [&all] { all.come(2); });
                auto dropped = spawn(accept_from(listener));
                co_await run.reach();
                run.drop(dropped);
                come = std::move(all.all());
            }
            co_await test::turns(4);
            EXPECT_EQ(test::open_descriptors(), before + come.size());
            for (plain_socket& each : come) {
                char byte = 0;
                EXPECT_LE(each.receive(&byte, 1), 0) << "its peer is there still";
            }
        }
    };
    test::run_bounded(main(GetParam()), test::one_entry_options());
}

INSTANTIATE_TEST_SUITE_P(tcp_listener, a_dropped_accept, ::testing::ValuesIn(test::every_moment()),
                         [](const auto& instance) { return test::to_string(instance.param); });

TEST(an_accept_that_goes_on, keeps_the_order_when_the_acceptor_is_dropped_half_way) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        clients all(listener);
        for (int round = 0; round < 20; ++round) {
            all.come(1);
            co_await all.accept_all(listener);
            auto dropped = spawn(accept_from(listener));
            co_await test::turns(2);
            all.come(2);
            co_await test::until_one_is_ready();  // the acceptor is about to go on
            all.come(2);
            if (round % 2 == 0)
                test::enter_without_reaping();
            EXPECT_FALSE(dropped.done());
            dropped.cancel();
            co_await all.accept_all(listener);
        }
    };
    test::run_bounded(main(), test::one_entry_options());
}

TEST(an_accept_that_goes_on, closes_what_it_has_when_the_listener_is_dropped_half_way) {
    const auto main = []() -> task<> {
        co_await test::turns(2);
        const std::size_t before = test::open_descriptors();
        for (int round = 0; round < 20; ++round) {
            std::optional<tcp_listener> listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
            clients all(*listener);
            all.come(3);
            {
                const auto first = co_await listener->accept();
            }
            co_await test::turns(3);
            all.come(3);  // three more than the listener has seen
            if (round % 2 == 0)
                test::enter_without_reaping();
            if (round % 3 == 0)
                listener->close();
            listener.reset();
            co_await test::turns(4);
            EXPECT_EQ(test::open_descriptors(), before + all.all().size());
            for (plain_socket& each : all.all()) {
                char byte = 0;
                EXPECT_LE(each.receive(&byte, 1), 0) << "its peer is there still";
            }
        }
    };
    test::run_bounded(main(), test::one_entry_options());
}

}  // namespace
}  // namespace eddy::accept_test
