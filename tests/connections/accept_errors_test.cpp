// Errors of accept4(2), which this program replaces: the system passes on what befell a connection while it stood in
// the queue (accept(2)). io_uring does not call it.

#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime_options.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace {

/// What the next calls report, the last one first.
std::vector<int> errors;

}  // namespace

extern "C" int accept4(int descriptor, sockaddr* from, socklen_t* from_size, int flags) {
    if (errors.empty())
        return static_cast<int>(::syscall(SYS_accept4, descriptor, from, from_size, flags));
    errno = errors.back();
    errors.pop_back();
    return -1;
}

namespace eddy::accept_errors_test {
namespace {

const runtime_options& with_epoll() {
    static const auto options = runtime_options().backend(backend_kind::epoll);
    return options;
}

TEST(tcp_listener, accepts_the_next_connection_if_one_has_failed) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto peer = test::plain_socket::connect(listener.local_endpoint().port());
        errors = {ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, ENONET, ENETUNREACH};
        const auto accepted = co_await as_result(listener.accept());
        EXPECT_TRUE(accepted.has_value());
        EXPECT_TRUE(errors.empty());
    };
    test::run_bounded(main(), with_epoll());
}

TEST(tcp_listener, reports_its_own_error_once_and_goes_on) {
    const auto main = []() -> task<> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const auto peer = test::plain_socket::connect(listener.local_endpoint().port());
        errors = {EINVAL};
        const auto failed = co_await as_result(listener.accept());
        EXPECT_FALSE(failed.has_value());
        if (failed.has_value())
            co_return;
        EXPECT_EQ(failed.error(), std::errc::invalid_argument);
        const auto accepted = co_await as_result(listener.accept());
        EXPECT_TRUE(accepted.has_value());
    };
    test::run_bounded(main(), with_epoll());
}

}  // namespace
}  // namespace eddy::accept_errors_test
