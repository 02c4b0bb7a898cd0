#include "dispatch/contests.hpp"

#include "dispatch/asio_forms.hpp"
#include "dispatch/asio_runs.hpp"
#include "dispatch/eddy_forms.hpp"
#include "dispatch/eddy_runs.hpp"

#include <string>

namespace bench {
namespace {

constexpr int scaling_batch = 100'000;
constexpr int concurrent_batch = 10'000;

template <class Form>
contender asio_batches(const char* name, int batch, int hint) {
    return {name, [=](double seconds) { return asio_runs<Form>::batches(seconds, batch, hint); }};
}

contender batch_contender(const char* name, int batch, sample (*measure)(double, int)) {
    return {name, [=](double seconds) { return measure(seconds, batch); }};
}

template <class Form>
constexpr auto from_outside = &eddy_runs<Form>::batches_from_outside;
template <class Form>
constexpr auto from_inside = &eddy_runs<Form>::batches_from_inside;

contest batches(std::string name, int batch) {
    constexpr int locked = BOOST_ASIO_CONCURRENCY_HINT_DEFAULT;
    constexpr int lockless = BOOST_ASIO_CONCURRENCY_HINT_UNSAFE;
    return {.name = std::move(name),
            .about = "one thread hands over " + std::to_string(batch) + " and runs them, again and again",
            .item = "function or task",
            .is_single_threaded = true,
            .contenders = {asio_batches<asio_callbacks>("asio_callbacks", batch, locked),
                           asio_batches<asio_callbacks>("asio_callbacks_lockless", batch, lockless),
                           asio_batches<asio_coroutines>("asio_coroutines", batch, locked),
                           asio_batches<asio_coroutines>("asio_coroutines_lockless", batch, lockless),
                           batch_contender("eddy_functions", batch, from_outside<eddy_functions>),
                           batch_contender("eddy_functions_local", batch, from_inside<eddy_functions>),
                           batch_contender("eddy_tasks", batch, from_outside<eddy_tasks>),
                           batch_contender("eddy_tasks_local", batch, from_inside<eddy_tasks>)}};
}

template <template <class> class Runs, class Form>
contender scaling_contender(const char* name, int threads) {
    return {name, [=](double seconds) { return Runs<Form>::scaling(seconds, threads, scaling_batch); }};
}

contest scaling(int threads) {
    return {.name = "multithreaded_scaling/" + std::to_string(threads),
            .about = "a feeder hands over 100000 at a time, " + std::to_string(threads) + " threads run them",
            .item = "function or task",
            .contenders = {scaling_contender<asio_runs, asio_callbacks>("asio_callbacks", threads),
                           scaling_contender<asio_runs, asio_coroutines>("asio_coroutines", threads),
                           scaling_contender<eddy_runs, eddy_functions>("eddy_functions", threads),
                           scaling_contender<eddy_runs, eddy_tasks>("eddy_tasks", threads)}};
}

template <template <class> class Runs, class Form>
contender concurrent_contender(const char* name, int threads) {
    return {name, [=](double seconds) { return Runs<Form>::concurrent(seconds, threads, concurrent_batch); }};
}

contest concurrent(int threads) {
    return {.name = "concurrent_post_run/" + std::to_string(threads),
            .about = std::to_string(threads) + " threads, each hands over 10000 and runs what there is",
            .item = "function or task",
            .contenders = {concurrent_contender<asio_runs, asio_callbacks>("asio_callbacks", threads),
                           concurrent_contender<asio_runs, asio_coroutines>("asio_coroutines", threads),
                           concurrent_contender<eddy_runs, eddy_functions>("eddy_functions", threads),
                           concurrent_contender<eddy_runs, eddy_tasks>("eddy_tasks", threads)}};
}

}  // namespace

suite dispatch_suite() {
    suite made{.program = "eddy-bench-dispatch",
               .about = "Measures how fast functions and tasks are handed over and run.",
               .bases = {"asio_callbacks", "asio_coroutines"},
               .contests = {}};
    made.contests.push_back(batches("single_threaded_post", 1000));
    made.contests.push_back(batches("interleaved_post_run", 100));
    for (const int threads : {1, 2, 4, 8})
        made.contests.push_back(scaling(threads));
    for (const int threads : {2, 4})
        made.contests.push_back(concurrent(threads));
    return made;
}

}  // namespace bench
