#include "tasks/contests.hpp"

#include "contest/program.hpp"
#include "tasks/asio_tasks.hpp"
#include "tasks/bare_steps.hpp"
#include "tasks/eddy_tasks.hpp"
#include "tasks/raw_sockets.hpp"

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
contender eddy_on(const char* name, backend_kind kind, sample (eddy_socket_tasks::*play)(const Work&) const,
                  Work work) {
    return {name, [=](double seconds) mutable {
                work.seconds = seconds;
                return (eddy_socket_tasks(kind).*play)(work);
            }};
}

// A contender in another language, if it was built.
void add_program(contest& to, const char* name, const std::string& program, std::size_t threads,
                 const std::string& arguments = "") {
    const std::string path = program_beside(program);
    if (path.empty())
        return;
    const auto measure = [=](double seconds) {
        return run_program(path, std::to_string(threads) + ' ' + std::to_string(seconds) + ' ' + arguments);
    };
    to.contenders.push_back({.name = name, .measure = measure, .warms_up_itself = true});
}

std::string threads_text(std::size_t threads) {
    return threads == 1 ? "one thread" : std::to_string(threads) + " threads";
}

contest skynet(std::size_t threads) {
    const skynet_work work{0, threads};
    contest made{
        .name = "skynet/" + std::to_string(threads),
        .about = "a million leaves, ten children each, " + threads_text(threads),
        .item = "leaf",
        .is_single_threaded = threads == 1,
        .memory_matters = true,
        .contenders = {player("asio_coroutines", &asio_skynet, work), player("eddy", &eddy_skynet, work)}};
    add_program(made, "tokio", "eddy-bench-skynet-tokio", threads);
    add_program(made, "go", "eddy-bench-skynet-go", threads);
    return made;
}

contest fib(std::size_t threads) {
    const fib_work work{0, threads};
    contest made{.name = "fib/" + std::to_string(threads),
                 .about = "fib(25), both calls at the same time, " + threads_text(threads),
                 .item = "call",
                 .is_single_threaded = threads == 1,
                 .memory_matters = true,
                 .contenders = {player("asio_coroutines", &asio_fib, work), player("eddy", &eddy_fib, work)}};
    add_program(made, "tokio", "eddy-bench-fib-tokio", threads);
    add_program(made, "go", "eddy-bench-fib-go", threads);
    return made;
}

contest channel(std::size_t threads, std::size_t producers, std::size_t consumers) {
    const channel_work work{0, threads, producers, consumers};
    const std::string ends = std::to_string(producers) + "x" + std::to_string(consumers);
    const std::string arguments = std::to_string(producers) + ' ' + std::to_string(consumers);
    contest made{
        .name = "channel_" + ends + "/" + std::to_string(threads),
        .about = std::to_string(producers) + " producers, " + std::to_string(consumers) +
                 " consumers, 1024 places, " + threads_text(threads),
        .item = "number",
        .is_single_threaded = threads == 1,
        .memory_matters = true,
        .contenders = {player("asio_coroutines", &asio_channel, work), player("eddy", &eddy_channel, work)}};
    if (consumers == 1)  // Tokio's channel has one receiver
        add_program(made, "tokio", "eddy-bench-channel-tokio", threads, arguments);
    add_program(made, "go", "eddy-bench-channel-go", threads, arguments);
    return made;
}

contest fan_out(std::string name, std::string about, fan_out_work work) {
    return {
        .name = std::move(name),
        .about = std::move(about),
        .item = "round",
        .is_single_threaded = true,
        .contenders = {player("raw_epoll", &raw_epoll_fan_out, work),
                       player("raw_io_uring", &raw_io_uring_fan_out, work),
                       player("asio_callbacks", &asio_callback_fan_out, work),
                       player("asio_coroutines", &asio_coroutine_fan_out, work),
                       eddy_on("eddy_io_uring", backend_kind::io_uring, &eddy_socket_tasks::fan_out, work),
                       eddy_on("eddy_epoll", backend_kind::epoll, &eddy_socket_tasks::fan_out, work)}};
}

contest requests(std::size_t threads) {
    const request_work work{0, threads};
    return {
        .name = "io_socket_st/" + std::to_string(threads),
        .about = "20 connections that ask and are replied to, " +
                 std::string(threads == 1 ? "one thread" : "a thread for the server, one for the clients"),
        .item = "request",
        .is_single_threaded = threads == 1,
        .memory_matters = true,
        .contenders = {player("raw_epoll", &raw_epoll_requests, work),
                       player("asio_callbacks", &asio_callback_requests, work),
                       player("asio_coroutines", &asio_coroutine_requests, work),
                       eddy_on("eddy_io_uring", backend_kind::io_uring, &eddy_socket_tasks::requests, work),
                       eddy_on("eddy_epoll", backend_kind::epoll, &eddy_socket_tasks::requests, work)}};
}

contest step(const char* name, const char* about, std::vector<contender> contenders) {
    return {.name = name,
            .about = about,
            .item = "time",
            .is_single_threaded = true,
            .contenders = std::move(contenders)};
}

void add_steps(std::vector<contest>& to) {
    const step_work work{};
    to.push_back(
        step("await_ready", "a task that ends at once is awaited",
             {player("bare", &bare_steps::await_ready, work),
              player("asio_coroutines", &asio_await_ready, work), player("eddy", &eddy_await_ready, work)}));
    to.push_back(
        step("await_yield", "a task lets the others go first",
             {player("bare", &bare_steps::await_yield, work),
              player("asio_coroutines", &asio_await_yield, work), player("eddy", &eddy_await_yield, work)}));
    to.push_back(step("await_yield_below", "a task that does so is awaited",
                      {player("bare", &bare_steps::await_yield_below, work),
                       player("asio_coroutines", &asio_await_yield_below, work),
                       player("eddy", &eddy_await_yield_below, work)}));
    to.push_back(step("await_yield_two_below", "a task that awaits such a one is awaited",
                      {player("bare", &bare_steps::await_yield_two_below, work),
                       player("asio_coroutines", &asio_await_yield_two_below, work),
                       player("eddy", &eddy_await_yield_two_below, work)}));
    to.push_back(
        step("async_generator", "a value of an asynchronous generator is awaited",
             {player("asio_coroutines", &asio_generator, work), player("eddy", &eddy_generator, work)}));
    constexpr auto socket_pair = &eddy_socket_tasks::socket_pair;
    to.push_back(step("socket_pair", "256 bytes are written to a local socket and read from its peer",
                      {player("raw_calls", &raw_calls_socket_pair, work),
                       player("asio_callbacks", &asio_callback_socket_pair, work),
                       player("asio_coroutines", &asio_coroutine_socket_pair, work),
                       eddy_on("eddy_io_uring", backend_kind::io_uring, socket_pair, work),
                       eddy_on("eddy_epoll", backend_kind::epoll, socket_pair, work)}));
}

void add_fan_outs(std::vector<contest>& to) {
    for (const std::size_t children : {1, 4, 16, 64})
        to.push_back(fan_out("fan_out_fork_join/" + std::to_string(children),
                             "a parent with so many sub-requests: " + std::to_string(children),
                             {0, 1, 1, children}));
    for (const std::size_t groups : {4, 16})
        to.push_back(fan_out("fan_out_nested/" + std::to_string(groups),
                             "a parent with so many groups of 4 sub-requests: " + std::to_string(groups),
                             {0, 1, groups, 4}));
    for (const std::size_t parents : {1, 4, 16})
        to.push_back(fan_out("fan_out_concurrent_parents/" + std::to_string(parents),
                             "so many parents with 16 sub-requests each: " + std::to_string(parents),
                             {0, parents, 1, 16}));
}

}  // namespace

suite tasks_suite() {
    suite made{
        .program = "eddy-bench-tasks",
        .about = "Measures tasks that run other tasks, alone and over sockets.",
        .bases = {"raw_epoll", "raw_calls", "bare", "asio_callbacks", "asio_coroutines", "tokio", "go"},
        .compares_cpu_time = true,
        .contests = {}};
    add_fan_outs(made.contests);
    for (const std::size_t threads : {1, 2})
        made.contests.push_back(skynet(threads));
    for (const std::size_t threads : {1, 2})
        made.contests.push_back(fib(threads));
    for (const std::size_t threads : {1, 2})
        for (const auto& [producers, consumers] : {std::pair{1, 1}, std::pair{4, 1}, std::pair{4, 4}})
            made.contests.push_back(
                channel(threads, static_cast<std::size_t>(producers), static_cast<std::size_t>(consumers)));
    for (const std::size_t threads : {1, 2})
        made.contests.push_back(requests(threads));
    add_steps(made.contests);
    return made;
}

}  // namespace bench
