// Tasks that run other tasks, alone and over sockets: eddy and Boost.Asio. The harness adds Tokio and Go, programs of
// their own.
#include "measure/subjects.hpp"
#include "tasks/works.hpp"

namespace bench {
namespace {

std::string threads_text(std::size_t threads) {
    return threads == 1 ? "one thread" : std::to_string(threads) + " threads";
}

benchmark skynet(std::size_t threads) {
    return {.name = "skynet/" + std::to_string(threads),
            .about = "a million leaves, ten children each, " + threads_text(threads),
            .item = "leaf",
            .is_single_threaded = threads == 1,
            .subjects = subjects_of(skynet_work{0, threads},
                                    {{"asio_coroutines", asio_skynet}, {"eddy", eddy_skynet}})};
}

benchmark fib(std::size_t threads) {
    return {
        .name = "fib/" + std::to_string(threads),
        .about = "fib(25), both calls at the same time, " + threads_text(threads),
        .item = "call",
        .is_single_threaded = threads == 1,
        .subjects = subjects_of(fib_work{0, threads}, {{"asio_coroutines", asio_fib}, {"eddy", eddy_fib}})};
}

benchmark channel(std::size_t threads, std::size_t producers, std::size_t consumers) {
    return {.name = "channel_" + std::to_string(producers) + "x" + std::to_string(consumers) + "/" +
                    std::to_string(threads),
            .about = std::to_string(producers) + " producers, " + std::to_string(consumers) +
                     " consumers, 1024 places, " + threads_text(threads),
            .item = "number",
            .is_single_threaded = threads == 1,
            .subjects = subjects_of(channel_work{0, threads, producers, consumers},
                                    {{"asio_coroutines", asio_channel}, {"eddy", eddy_channel}})};
}

benchmark requests(std::size_t threads) {
    return {
        .name = "io_socket_st/" + std::to_string(threads),
        .about = "20 connections that ask and are replied to, " +
                 std::string(threads == 1 ? "one thread" : "a thread for the server, one for the clients"),
        .item = "request",
        .is_single_threaded = threads == 1,
        .subjects = subjects_of(request_work{0, threads},
                                {{"raw_epoll", raw_epoll_requests},
                                 {"asio_callbacks", asio_callback_requests},
                                 {"asio_coroutines", asio_coroutine_requests}},
                                eddy_requests)};
}

benchmark fan_out(const std::string& name, const std::string& about, std::size_t number, fan_out_work work) {
    return {.name = "fan_out_" + name + "/" + std::to_string(number),
            .about = about + ": " + std::to_string(number),
            .item = "round",
            .is_single_threaded = true,
            .subjects = subjects_of(work,
                                    {{"raw_epoll", raw_epoll_fan_out},
                                     {"raw_io_uring", raw_io_uring_fan_out},
                                     {"asio_callbacks", asio_callback_fan_out},
                                     {"asio_coroutines", asio_coroutine_fan_out}},
                                    eddy_fan_out)};
}

benchmark step(const char* name, const char* about, std::initializer_list<named_way<step_work>> ways,
               eddy_way<step_work> eddys = nullptr) {
    return {.name = name,
            .about = about,
            .item = "time",
            .is_single_threaded = true,
            .subjects = subjects_of(step_work(), ways, eddys)};
}

void add_steps(std::vector<benchmark>& to) {
    to.push_back(step("await_ready", "a task that ends at once is awaited",
                      {{"bare", bare_steps::await_ready},
                       {"asio_coroutines", asio_await_ready},
                       {"eddy", eddy_await_ready}}));
    to.push_back(step("await_yield", "a task lets the others go first",
                      {{"bare", bare_steps::await_yield},
                       {"asio_coroutines", asio_await_yield},
                       {"eddy", eddy_await_yield}}));
    to.push_back(step("await_yield_below", "a task that does so is awaited",
                      {{"bare", bare_steps::await_yield_below},
                       {"asio_coroutines", asio_await_yield_below},
                       {"eddy", eddy_await_yield_below}}));
    to.push_back(step("await_yield_two_below", "a task that awaits such a one is awaited",
                      {{"bare", bare_steps::await_yield_two_below},
                       {"asio_coroutines", asio_await_yield_two_below},
                       {"eddy", eddy_await_yield_two_below}}));
    to.push_back(step("async_generator", "a value of an asynchronous generator is awaited",
                      {{"asio_coroutines", asio_generator}, {"eddy", eddy_generator}}));
    to.push_back(step("socket_pair", "256 bytes are written to a local socket and read from its peer",
                      {{"raw_calls", raw_calls_socket_pair},
                       {"asio_callbacks", asio_callback_socket_pair},
                       {"asio_coroutines", asio_coroutine_socket_pair}},
                      eddy_socket_pair));
}

}  // namespace

benchmarks measured_benchmarks() {
    benchmarks made{compared::cpu_time, {}};
    for (const std::size_t children : {1, 4, 16, 64})
        made.all.push_back(
            fan_out("fork_join", "a parent with so many sub-requests", children, {0, 1, 1, children}));
    for (const std::size_t groups : {4, 16})
        made.all.push_back(
            fan_out("nested", "a parent with so many groups of 4 sub-requests", groups, {0, 1, groups, 4}));
    for (const std::size_t parents : {1, 4, 16})
        made.all.push_back(fan_out("concurrent_parents", "so many parents with 16 sub-requests each", parents,
                                   {0, parents, 1, 16}));
    for (const std::size_t threads : {1, 2})
        made.all.push_back(skynet(threads));
    for (const std::size_t threads : {1, 2})
        made.all.push_back(fib(threads));
    for (const std::size_t threads : {1, 2})
        for (const auto& [producers, consumers] : {std::pair{1u, 1u}, std::pair{4u, 1u}, std::pair{4u, 4u}})
            made.all.push_back(channel(threads, producers, consumers));
    for (const std::size_t threads : {1, 2})
        made.all.push_back(requests(threads));
    add_steps(made.all);
    return made;
}

}  // namespace bench
