#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/net/resolver.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/runtime_options.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <utility>
#include <vector>

namespace eddy::resolver_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

bool has(const std::vector<endpoint>& found, const endpoint& wanted) {
    return std::ranges::find(found, wanted) != found.end();
}

TEST(resolver, finds_what_the_hosts_file_says) {
    const auto main = []() -> task<> {
        const auto found = co_await resolve("localhost", "80");
        EXPECT_TRUE(has(found, endpoint::loopback_ipv4(80)) || has(found, endpoint::loopback_ipv6(80)));
        const auto v4 = co_await resolve("localhost", "80", resolve_options().family(endpoint::family::ipv4));
        EXPECT_EQ(v4, std::vector(1, endpoint::loopback_ipv4(80)));
    };
    run_bounded(main());
}

TEST(resolver, knows_services_by_name) {
    const auto main = []() -> task<> {
        const auto found = co_await resolve("127.0.0.1", "http");
        EXPECT_EQ(found, std::vector(1, endpoint::loopback_ipv4(80)));
        const auto unknown = co_await as_result(resolve("127.0.0.1", "no-such-service"));
        EXPECT_EQ(unknown.error(), io::lookup_error::unknown_service);
    };
    run_bounded(main());
}

/// Takes the thread of a pool that has one, until it is opened.
class busy_pool {
public:
    /// Goes on when the one thread is taken.
    task<> take_thread() {
        waiting_.push_back(spawn(wait(opened_.get_future().share(), has_begun_)));
        co_await test::turns_until([this] { return has_begun_.load(); });
    }
    task<> open() {
        opened_.set_value();
        for (auto& each : waiting_)
            co_await std::move(each);
    }

private:
    static task<> wait(std::shared_future<void> opened, std::atomic<bool>& begun) {
        const auto block = [](const std::shared_future<void>& until, std::atomic<bool>* has_begun) {
            *has_begun = true;
            until.wait();
        };
        auto waiting = offload(work_kind::long_running, block, std::move(opened), &begun);
        co_await std::move(waiting);
    }
    std::atomic<bool> has_begun_ = false;
    std::promise<void> opened_;
    std::vector<handle<>> waiting_;
};

TEST(resolver, answers_addresses_without_a_thread) {
    const auto main = []() -> task<> {
        busy_pool pool;
        co_await pool.take_thread();
        const auto given = co_await with_timeout(resolve("::1", "8080"), 30s);
        EXPECT_EQ(given, std::vector(1, endpoint::loopback_ipv6(8080)));
        co_await pool.open();
    };
    run_bounded(main(), runtime_options().offload_threads(1));
}

TEST(resolver, takes_scopes_by_number_and_by_interface) {
    const auto main = []() -> task<> {
        const auto by_number = co_await resolve("fe80::1%1", "80");
        EXPECT_EQ(by_number.front().scope(), 1U);
        const auto by_name = co_await resolve("fe80::1%lo", "80");
        EXPECT_EQ(by_name, by_number);
        const auto unknown = co_await as_result(resolve("fe80::1%nosuch0", "80"));
        EXPECT_FALSE(unknown.has_value());
    };
    run_bounded(main());
}

TEST(resolver, says_where_to_listen) {
    const auto main = []() -> task<> {
        const auto options = resolve_options().passive(true);
        const auto everywhere = co_await resolve("", "80", options);
        EXPECT_TRUE(has(everywhere, endpoint::any_ipv4(80)) || has(everywhere, endpoint::any_ipv6(80)));
        const auto here = co_await resolve("", "80");
        EXPECT_TRUE(has(here, endpoint::loopback_ipv4(80)) || has(here, endpoint::loopback_ipv6(80)));
    };
    run_bounded(main());
}

TEST(resolver, reports_names_that_nobody_has) {
    const auto main = []() -> task<> {
        for (const std::string& host : {std::string("no such host"), std::string("a\0b", 3),
                                        std::string(2000, 'x'), std::string("300.1.2.3.")}) {
            const auto refused = co_await as_result(resolve(host, "80"));
            EXPECT_FALSE(refused.has_value()) << host;
            EXPECT_FALSE(refused.error().message().empty());
        }
        const auto wrong_family =
            co_await as_result(resolve("::1", "80", resolve_options().family(endpoint::family::ipv4)));
        EXPECT_EQ(wrong_family.error(), io::lookup_error::not_found);
    };
    run_bounded(main());
}

TEST(resolver, resolves_many_names_at_once) {
    const auto main = []() -> task<> {
        std::vector<handle<std::vector<endpoint>>> requested;
        for (int count = 0; count < 50; ++count)
            requested.push_back(spawn(resolve("localhost", std::to_string(1000 + count))));
        for (std::uint16_t count = 0; count < 50; ++count) {
            const auto found = co_await requested[count];
            EXPECT_EQ(found.front().port(), 1000 + count);
        }
    };
    run_bounded(main());
}

TEST(resolver, forgets_an_answer_that_nobody_waits_for) {
    const auto main = []() -> task<> {
        for (int turns = 0; turns < 20; ++turns) {
            auto dropped = spawn(resolve("localhost", "http"));
            for (int count = 0; count < turns % 4; ++count)
                co_await yield();
        }
    };
    run_bounded(main());
}

TEST(resolver, names_an_endpoint) {
    const auto main = []() -> task<> {
        const auto names = co_await resolve_names(endpoint::loopback_ipv4(80));
        EXPECT_EQ(names.host, "localhost");
        EXPECT_EQ(names.service, "http");
        // Of addresses that no name is known of this asks the name server, if there is one.
        const endpoint unnamed = endpoint::ipv4({192, 0, 2, 1}, 60'999);
        const auto none = co_await as_result(resolve_names(unnamed));
        if (none) {
            EXPECT_FALSE(none->host.empty());
            EXPECT_EQ(none->service, "60999");
        } else {
            EXPECT_EQ(none.error(), io::lookup_error::temporary_failure);
        }
    };
    run_bounded(main());
}

TEST(resolver, knows_services_of_datagrams) {
    const auto main = []() -> task<> {
        const auto found = co_await resolve("127.0.0.1", "tftp");
        EXPECT_EQ(found, std::vector(1, endpoint::loopback_ipv4(69)));
    };
    run_bounded(main());
}

TEST(resolver, keeps_nobody_waiting_longer_than_a_deadline) {
    const auto main = []() -> task<> {
        busy_pool pool;
        co_await pool.take_thread();
        const auto late = co_await as_result(with_timeout(resolve("localhost", "http"), 5ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        co_await pool.open();
        const auto found = co_await resolve("localhost", "http");
        EXPECT_EQ(found.front().port(), 80);
    };
    run_bounded(main(), runtime_options().offload_threads(1));
}

TEST(resolver, names_a_scope) {
    const auto has_a_name_server = []() -> task<bool> {
        auto at = co_await resolve("fe80::1%lo", "80");
        const auto names = co_await as_result(resolve_names(at.front()));
        if (!names && names.error() == io::lookup_error::temporary_failure)
            co_return false;
        EXPECT_NE(names.value().host.find("%lo"), std::string::npos) << names->host;
        co_return true;
    };
    if (!run_bounded(has_a_name_server()))
        GTEST_SKIP() << "[name-server] no name server has answered";
}

}  // namespace
}  // namespace eddy::resolver_test
