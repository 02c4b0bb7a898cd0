// What sockets and pipes cost within one thread: eddy, Boost.Asio and system calls made by hand, by the definitions
// of Boost.Corosio's socket benchmarks.
#include "measure/subjects.hpp"
#include "sockets/works.hpp"

namespace bench {
namespace {

std::string size_text(std::size_t bytes) {
    if (bytes >= 1024 * 1024)
        return std::to_string(bytes / 1024 / 1024) + "M";
    return bytes >= 1024 ? std::to_string(bytes / 1024) + "K" : std::to_string(bytes);
}

std::string flow_name(bool is_both_ways, transport over) {
    return std::string(is_both_ways ? "two_way_" : "one_way_") + (over == transport::tcp ? "tcp" : "local");
}

benchmark flow(flow_work work) {
    return {.name = flow_name(work.is_both_ways, work.over) + "/" + size_text(work.buffer_bytes),
            .about = "writes of " + size_text(work.buffer_bytes) + ", reads into as much memory",
            .item = "KiB",
            .is_single_threaded = true,
            .subjects = subjects_of(work,
                                    {{"raw_epoll", raw_epoll::flow},
                                     {"raw_io_uring", raw_io_uring::flow},
                                     {"asio_callbacks", asio_callbacks::flow},
                                     {"asio_coroutines", asio_coroutines::flow}},
                                    eddy_sockets::flow)};
}

benchmark threaded_flow(transport over, bool is_both_ways, std::size_t threads) {
    const flow_work work{0, over, 64 * 1024, is_both_ways, 32, threads};
    return {.name = flow_name(is_both_ways, over) + "_threads/" + std::to_string(threads),
            .about = "32 connections, buffers of 64 KiB, " + std::to_string(threads) + " threads",
            .item = "KiB",
            .subjects = subjects_of(work,
                                    {{"raw_epoll", raw_epoll::threaded_flow},
                                     {"asio_callbacks", asio_callbacks::flow},
                                     {"asio_coroutines", asio_coroutines::flow}},
                                    eddy_sockets::flow)};
}

benchmark ping_pong(std::string name, ping_pong_work work) {
    return {
        .name = std::move(name),
        .about = size_text(work.message_bytes) + " B there and back, pairs: " + std::to_string(work.pairs),
        .item = "round trip",
        .is_single_threaded = true,
        .subjects = subjects_of(work,
                                {{"raw_epoll", raw_epoll::ping_pong},
                                 {"raw_calls", raw_calls::ping_pong},
                                 {"raw_io_uring", raw_io_uring::ping_pong},
                                 {"asio_callbacks", asio_callbacks::ping_pong},
                                 {"asio_coroutines", asio_coroutines::ping_pong}},
                                eddy_sockets::ping_pong)};
}

benchmark churn(churn_work work) {
    return {.name = "churn/" + std::to_string(work.loops),
            .about = "connect, accept, one byte, close; loops: " + std::to_string(work.loops),
            .item = "connection",
            .is_single_threaded = true,
            .subjects = subjects_of(work,
                                    {{"raw_calls", raw_calls::churn},
                                     {"asio_callbacks", asio_callbacks::churn},
                                     {"asio_coroutines", asio_coroutines::churn}},
                                    eddy_sockets::churn)};
}

benchmark burst(burst_work work) {
    return {.name = "churn_burst/" + std::to_string(work.connections),
            .about = "so many connections begun, accepted and closed: " + std::to_string(work.connections),
            .item = "connection",
            .is_single_threaded = true,
            .subjects = subjects_of(work,
                                    {{"raw_calls", raw_calls::burst},
                                     {"asio_callbacks", asio_callbacks::burst},
                                     {"asio_coroutines", asio_coroutines::burst}},
                                    eddy_sockets::burst)};
}

benchmark datagrams(datagram_work work) {
    benchmark made{.name = "datagrams/" + size_text(work.datagram_bytes),
                   .about = "UDP between two sockets, one by one and in batches of 32",
                   .item = "datagram",
                   .is_single_threaded = true,
                   .subjects = subjects_of(work,
                                           {{"raw_calls", raw_calls::datagrams},
                                            {"raw_calls_batches", raw_calls::datagram_batches},
                                            {"asio_callbacks", asio_callbacks::datagrams},
                                            {"asio_coroutines", asio_coroutines::datagrams}},
                                           eddy_sockets::datagrams)};
    for (subject& one : subjects_of(work, {}, eddy_sockets::datagram_batches)) {
        one.name += "_batches";
        made.subjects.push_back(std::move(one));
    }
    return made;
}

benchmark pipe() {
    return {.name = "pipe",
            .about = "256 B written and read",
            .item = "write and read",
            .is_single_threaded = true,
            .subjects = subjects_of(pipe_work(),
                                    {{"raw_calls", raw_calls::pipe},
                                     {"asio_callbacks", asio_callbacks::pipe},
                                     {"asio_coroutines", asio_coroutines::pipe}},
                                    eddy_sockets::pipe)};
}

}  // namespace

benchmarks measured_benchmarks() {
    benchmarks made{compared::cpu_time, {}};
    constexpr std::size_t kib = 1024;
    for (const transport over : {transport::tcp, transport::local})
        for (const bool is_both_ways : {false, true})
            for (const std::size_t size : {kib, 4 * kib, 16 * kib, 64 * kib, 256 * kib, 1024 * kib})
                made.all.push_back(flow({0, over, size, is_both_ways}));
    for (const transport over : {transport::tcp, transport::local})
        for (const bool is_both_ways : {false, true})
            for (const std::size_t threads : {2, 4, 8})
                made.all.push_back(threaded_flow(over, is_both_ways, threads));
    for (const transport over : {transport::tcp, transport::local}) {
        const std::string name = over == transport::tcp ? "ping_pong" : "ping_pong_local";
        for (const std::size_t size : {std::size_t{1}, std::size_t{64}, kib})
            made.all.push_back(ping_pong(name + "/" + std::to_string(size), {0, over, size, 1}));
        for (const int pairs : {4, 16})
            made.all.push_back(ping_pong(name + "_pairs/" + std::to_string(pairs), {0, over, 64, pairs}));
    }
    for (const int loops : {1, 4, 16})
        made.all.push_back(churn({0, loops}));
    for (const int connections : {10, 100})
        made.all.push_back(burst({0, connections}));
    for (const std::size_t size : {std::size_t{64}, std::size_t{1400}})
        made.all.push_back(datagrams({0, size}));
    made.all.push_back(pipe());
    return made;
}

}  // namespace bench
