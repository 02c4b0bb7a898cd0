#include "sockets/contests.hpp"

#include "sockets/asio_players.hpp"
#include "sockets/eddy_player.hpp"
#include "sockets/raw_calls.hpp"
#include "sockets/raw_epoll.hpp"
#include "sockets/raw_io_uring.hpp"

#include <string>
#include <utility>

namespace bench {
namespace {

using eddy::backend_kind;

template <class Work>
contender player(const char* name, sample (*play)(const Work&), Work work) {
    return {name, [=](double seconds) mutable {
                work.seconds = seconds;
                return play(work);
            }};
}

template <class Work>
contender eddy_on(const char* name, backend_kind kind, sample (eddy_player::*play)(const Work&) const,
                  Work work) {
    return {name, [=](double seconds) mutable {
                work.seconds = seconds;
                return (eddy_player(kind).*play)(work);
            }};
}

std::string size_text(std::size_t bytes) {
    if (bytes >= 1024 * 1024)
        return std::to_string(bytes / 1024 / 1024) + "M";
    return bytes >= 1024 ? std::to_string(bytes / 1024) + "K" : std::to_string(bytes);
}

contest flow(flow_work work) {
    const std::string name = std::string(work.is_both_ways ? "two_way_" : "one_way_") +
                             (work.over == transport::tcp ? "tcp/" : "local/") + size_text(work.buffer_bytes);
    return {.name = name,
            .about = "writes of " + size_text(work.buffer_bytes) + ", reads into as much memory",
            .item = "KiB",
            .is_single_threaded = true,
            .contenders = {player("raw_epoll", &raw_epoll::flow, work),
                           player("raw_io_uring", &raw_io_uring::flow, work),
                           player("asio_callbacks", asio_callbacks.flow, work),
                           player("asio_coroutines", asio_coroutines.flow, work),
                           eddy_on("eddy_io_uring", backend_kind::io_uring, &eddy_player::flow, work),
                           eddy_on("eddy_epoll", backend_kind::epoll, &eddy_player::flow, work)}};
}

contest threaded_flow(threaded_flow_work work) {
    const std::string threads = std::to_string(work.threads);
    constexpr auto play = &eddy_player::threaded_flow;
    return {.name = std::string(work.is_both_ways ? "two_way_" : "one_way_") +
                    (work.over == transport::tcp ? "tcp" : "local") + "_threads/" + threads,
            .about = "32 connections, buffers of 64 KiB, " + threads + " threads",
            .item = "KiB",
            .contenders = {player("raw_epoll", &raw_epoll::threaded_flow, work),
                           player("asio_callbacks", asio_callbacks.threaded_flow, work),
                           player("asio_coroutines", asio_coroutines.threaded_flow, work),
                           eddy_on("eddy_io_uring", backend_kind::io_uring, play, work),
                           eddy_on("eddy_epoll", backend_kind::epoll, play, work)}};
}

contest ping_pong(std::string name, ping_pong_work work) {
    return {
        .name = std::move(name),
        .about = size_text(work.message_bytes) + " B there and back, pairs: " + std::to_string(work.pairs),
        .item = "round trip",
        .is_single_threaded = true,
        .contenders = {player("raw_epoll", &raw_epoll::ping_pong, work),
                       player("raw_calls", &raw_calls::ping_pong, work),
                       player("raw_io_uring", &raw_io_uring::ping_pong, work),
                       player("asio_callbacks", asio_callbacks.ping_pong, work),
                       player("asio_coroutines", asio_coroutines.ping_pong, work),
                       eddy_on("eddy_io_uring", backend_kind::io_uring, &eddy_player::ping_pong, work),
                       eddy_on("eddy_epoll", backend_kind::epoll, &eddy_player::ping_pong, work)}};
}

contest churn(churn_work work) {
    return {.name = "churn/" + std::to_string(work.loops),
            .about = "connect, accept, one byte, close; loops: " + std::to_string(work.loops),
            .item = "connection",
            .is_single_threaded = true,
            .contenders = {player("raw_calls", &raw_calls::churn, work),
                           player("asio_callbacks", asio_callbacks.churn, work),
                           player("asio_coroutines", asio_coroutines.churn, work),
                           eddy_on("eddy_io_uring", backend_kind::io_uring, &eddy_player::churn, work),
                           eddy_on("eddy_epoll", backend_kind::epoll, &eddy_player::churn, work)}};
}

contest burst(burst_work work) {
    return {.name = "churn_burst/" + std::to_string(work.connections),
            .about = "so many connections begun, accepted and closed: " + std::to_string(work.connections),
            .item = "connection",
            .is_single_threaded = true,
            .contenders = {player("raw_calls", &raw_calls::burst, work),
                           player("asio_callbacks", asio_callbacks.burst, work),
                           player("asio_coroutines", asio_coroutines.burst, work),
                           eddy_on("eddy_io_uring", backend_kind::io_uring, &eddy_player::burst, work),
                           eddy_on("eddy_epoll", backend_kind::epoll, &eddy_player::burst, work)}};
}

contest datagrams(datagram_work work) {
    constexpr auto batches = &eddy_player::datagram_batches;
    return {.name = "datagrams/" + size_text(work.datagram_bytes),
            .about = "UDP between two sockets, one by one and in batches of 32",
            .item = "datagram",
            .is_single_threaded = true,
            .contenders = {player("raw_calls", &raw_calls::datagrams, work),
                           player("raw_calls_batches", &raw_calls::datagram_batches, work),
                           player("asio_callbacks", asio_callbacks.datagrams, work),
                           player("asio_coroutines", asio_coroutines.datagrams, work),
                           eddy_on("eddy_io_uring", backend_kind::io_uring, &eddy_player::datagrams, work),
                           eddy_on("eddy_epoll", backend_kind::epoll, &eddy_player::datagrams, work),
                           eddy_on("eddy_io_uring_batches", backend_kind::io_uring, batches, work),
                           eddy_on("eddy_epoll_batches", backend_kind::epoll, batches, work)}};
}

contest pipe() {
    const pipe_work work{};
    return {.name = "pipe",
            .about = "256 B written and read",
            .item = "write and read",
            .is_single_threaded = true,
            .contenders = {player("raw_calls", &raw_calls::pipe, work),
                           player("asio_callbacks", asio_callbacks.pipe, work),
                           player("asio_coroutines", asio_coroutines.pipe, work),
                           eddy_on("eddy_io_uring", backend_kind::io_uring, &eddy_player::pipe, work),
                           eddy_on("eddy_epoll", backend_kind::epoll, &eddy_player::pipe, work)}};
}

}  // namespace

suite sockets_suite() {
    suite made{.program = "eddy-bench-sockets",
               .about = "Measures what sockets and pipes cost within one thread.",
               .bases = {"raw_epoll", "raw_calls", "asio_callbacks"},
               .compares_cpu_time = true,
               .contests = {}};
    constexpr std::size_t kib = 1024;
    for (const transport over : {transport::tcp, transport::local})
        for (const bool is_both_ways : {false, true})
            for (const std::size_t size : {kib, 4 * kib, 16 * kib, 64 * kib, 256 * kib, 1024 * kib})
                made.contests.push_back(flow({0, over, size, is_both_ways}));
    for (const transport over : {transport::tcp, transport::local})
        for (const bool is_both_ways : {false, true})
            for (const std::size_t threads : {2, 4, 8})
                made.contests.push_back(threaded_flow({0, over, is_both_ways, threads}));
    for (const transport over : {transport::tcp, transport::local}) {
        const std::string name = over == transport::tcp ? "ping_pong" : "ping_pong_local";
        for (const std::size_t size : {std::size_t{1}, std::size_t{64}, kib})
            made.contests.push_back(ping_pong(name + "/" + std::to_string(size), {0, over, size, 1}));
        for (const int pairs : {4, 16})
            made.contests.push_back(
                ping_pong(name + "_pairs/" + std::to_string(pairs), {0, over, 64, pairs}));
    }
    for (const int loops : {1, 4, 16})
        made.contests.push_back(churn({0, loops}));
    for (const int connections : {10, 100})
        made.contests.push_back(burst({0, connections}));
    for (const std::size_t size : {std::size_t{64}, std::size_t{1400}})
        made.contests.push_back(datagrams({0, size}));
    made.contests.push_back(pipe());
    return made;
}

}  // namespace bench
