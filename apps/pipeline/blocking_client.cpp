#include "pipeline/blocking_client.hpp"

#include "pipeline/frame.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <span>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <system_error>
#include <unistd.h>

namespace eddy::apps {

namespace {

[[noreturn]] void fail(std::errc why) {
    throw std::system_error(std::make_error_code(why), "upstream service");
}

void check(bool is_good) {
    if (is_good)
        return;
    // The errors of a socket whose time-out has passed.
    if (errno == EAGAIN || errno == EINPROGRESS)
        fail(std::errc::timed_out);
    throw std::system_error(errno, std::generic_category(), "upstream service");
}

void set_option(int descriptor, int level, int name, const void* value, std::size_t size) {
    check(setsockopt(descriptor, level, name, value, static_cast<socklen_t>(size)) == 0);
}

void set_timeouts(int descriptor, duration limit) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(limit);
    timeval interval{};
    interval.tv_sec = seconds.count();
    interval.tv_usec = std::chrono::ceil<std::chrono::microseconds>(limit - seconds).count();
    set_option(descriptor, SOL_SOCKET, SO_RCVTIMEO, &interval, sizeof interval);
    set_option(descriptor, SOL_SOCKET, SO_SNDTIMEO, &interval, sizeof interval);
}

void connect_to(int descriptor, const endpoint& where) {
    sockaddr_storage address{};
    socklen_t size = 0;
    if (where.address_family() == endpoint::family::ipv4) {
        auto& ipv4 = reinterpret_cast<sockaddr_in&>(address);
        ipv4.sin_family = AF_INET;
        ipv4.sin_port = htons(where.port());
        std::memcpy(&ipv4.sin_addr, where.address().data(), sizeof ipv4.sin_addr);
        size = sizeof ipv4;
    } else {
        auto& ipv6 = reinterpret_cast<sockaddr_in6&>(address);
        ipv6.sin6_family = AF_INET6;
        ipv6.sin6_port = htons(where.port());
        ipv6.sin6_scope_id = where.scope();
        std::memcpy(&ipv6.sin6_addr, where.address().data(), sizeof ipv6.sin6_addr);
        size = sizeof ipv6;
    }
    check(::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0);
}

std::size_t receive(int descriptor, std::span<std::byte> out) {
    const ssize_t count = ::recv(descriptor, out.data(), out.size(), 0);
    check(count >= 0);
    if (count == 0)
        fail(std::errc::connection_reset);
    return static_cast<std::size_t>(count);
}

}  // namespace

upstream_result blocking_client::call(std::uint64_t value) {
    if (descriptor_ < 0) {
        try {
            connect();
        } catch (const std::system_error&) {
            disconnect();
            return std::unexpected(std::make_error_code(std::errc::not_connected));
        }
    }
    try {
        return ask(value);
    } catch (const std::system_error& error) {
        disconnect();
        return std::unexpected(error.code());
    }
}

void blocking_client::connect() {
    const bool is_ipv4 = options_.where.address_family() == endpoint::family::ipv4;
    descriptor_ = ::socket(is_ipv4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(descriptor_ >= 0);
    const int on = 1;
    set_option(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    set_timeouts(descriptor_, options_.timeout);
    connect_to(descriptor_, options_.where);
}

void blocking_client::disconnect() noexcept {
    if (descriptor_ >= 0)
        ::close(descriptor_);
    descriptor_ = -1;
}

std::uint64_t blocking_client::ask(std::uint64_t value) {
    const time_point asked_at = clock::now();
    std::string question;
    frame{++last_id_, value}.append_to(question);
    const ssize_t sent = ::send(descriptor_, question.data(), question.size(), MSG_NOSIGNAL);
    check(sent >= 0);
    // The socket's buffer is empty, so a frame fits or the connection is of no use.
    if (static_cast<std::size_t>(sent) != question.size())
        fail(std::errc::io_error);
    std::array<std::byte, frame::bytes> received{};
    for (std::size_t have = 0; have < received.size();) {
        if (clock::now() - asked_at >= options_.timeout)
            fail(std::errc::timed_out);
        have += receive(descriptor_, std::span(received).subspan(have));
    }
    const frame answer = frame::parse(received);
    if (answer.id != last_id_)
        fail(std::errc::bad_message);
    return answer.value;
}

}  // namespace eddy::apps
