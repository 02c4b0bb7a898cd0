// Whatever TLS is told, a handshake ends; what has no limit succeeds.

#include "support/extremes.hpp"
#include "support/run_bounded.hpp"
#include "tls/tls_pair.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::tls_options_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::run_bounded;
using test::variations;

/// Two connections, of which the second may resume the first's session.
task<> expect_an_end(tls_server_options server, tls_client_options client, bool is_max, std::string name) {
    const tls_context accepting(std::move(server));
    const tls_context connecting(std::move(client));
    for (int round = 0; round < 2; ++round) {
        try {
            auto ends = co_await test::secured_pipe(accepting, connecting);
            co_await test::write_text(ends.server, "x");
            const std::string heard = co_await test::read_text(ends.client);
            EXPECT_EQ(heard, "x") << name;
        } catch (const std::system_error& error) {
            EXPECT_EQ(error.code(), std::errc::timed_out) << name;
            EXPECT_FALSE(is_max) << name;
        }
    }
}

TEST(a_tls_server_with_extreme_options, comes_to_an_end) {
    const auto all = variations(test::server_options())
                         .of<milliseconds>("handshake_time_max", &tls_server_options::handshake_time_max)
                         .of<std::size_t>("tickets", &tls_server_options::tickets)
                         .of<seconds>("ticket_key_period", &tls_server_options::ticket_key_period)
                         .all();
    for (const auto& each : all)
        run_bounded(expect_an_end(each.options, test::client_options(), each.is_max, each.name));
}

TEST(a_tls_client_with_extreme_options, comes_to_an_end) {
    const auto all = variations(test::client_options())
                         .of<milliseconds>("handshake_time_max", &tls_client_options::handshake_time_max)
                         .of<std::size_t>("sessions_max", &tls_client_options::sessions_max)
                         .of<seconds>("ocsp_age_max", &tls_client_options::ocsp_age_max)
                         .all();
    for (const auto& each : all)
        run_bounded(expect_an_end(test::server_options(), each.options, each.is_max, each.name));
}

// Zero is at once, and nothing has come by then.
TEST(a_tls_handshake_without_time, times_out) {
    for (const milliseconds none : {milliseconds::min(), milliseconds(-1), milliseconds(0)})
        run_bounded([](milliseconds time) -> task<> {
            auto [here, there] = duplex(1000);
            auto accepting =
                tls_accept(std::move(here), tls_context(test::server_options().handshake_time_max(time)));
            EXPECT_EQ(co_await test::error_of(std::move(accepting)), std::errc::timed_out);
        }(none));
}

}  // namespace
}  // namespace eddy::tls_options_test
