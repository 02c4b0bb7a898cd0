// The time-out of eddy-pipeline's blocking client, without the program.
#include "pipeline/blocking_client.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/io/endpoint.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace eddy::apps::pipeline_timeout_test {
namespace {

/// Answers one question with its own number: a frame is sent back as it is.
class echoing_service {
public:
    echoing_service() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
        EXPECT_EQ(::listen(listener_, 1), 0);
        EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
        where_ = endpoint::loopback_ipv4(ntohs(address.sin_port));
        serving_ = std::jthread([this] { serve(); });
    }

    [[nodiscard]] const endpoint& where() const noexcept { return where_; }

private:
    void serve() const {
        const int client = ::accept(listener_, nullptr, nullptr);
        std::array<std::byte, 64> buffer{};
        for (ssize_t count = 0; (count = ::read(client, buffer.data(), buffer.size())) > 0;)
            EXPECT_EQ(::send(client, buffer.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL), count);
        ::close(client);
        ::close(listener_);
    }

    int listener_;
    endpoint where_;
    std::jthread serving_;
};

TEST(a_blocking_client, waits_without_a_limit_when_its_time_out_is_the_longest) {
    const echoing_service service;
    upstream_options options;
    options.where = service.where();
    options.timeout = duration::max();
    blocking_client client(options);
    const upstream_result found = client.call(7);
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_EQ(*found, 7U);
}

}  // namespace
}  // namespace eddy::apps::pipeline_timeout_test
