// How fast functions and tasks are handed to threads and run there: Boost.Asio and eddy, by the definitions of
// Boost.Corosio's io_context benchmarks.
#include "dispatch/asio_runs.hpp"
#include "dispatch/eddy_runs.hpp"
#include "measure/subjects.hpp"

namespace bench {
namespace {

benchmark batches(std::string name, int batch) {
    constexpr int locked = BOOST_ASIO_CONCURRENCY_HINT_DEFAULT;
    constexpr int lockless = BOOST_ASIO_CONCURRENCY_HINT_UNSAFE;
    constexpr auto callbacks = asio_runs<asio_callbacks>::batches;
    constexpr auto coroutines = asio_runs<asio_coroutines>::batches;
    return {.name = std::move(name),
            .about = "one thread hands over " + std::to_string(batch) + " and runs them, again and again",
            .item = "function or task",
            .is_single_threaded = true,
            .subjects = {
                subject_by("asio_callbacks", callbacks, batch, locked),
                subject_by("asio_callbacks_lockless", callbacks, batch, lockless),
                subject_by("asio_coroutines", coroutines, batch, locked),
                subject_by("asio_coroutines_lockless", coroutines, batch, lockless),
                subject_by("eddy_functions", eddy_runs<eddy_functions>::batches_from_outside, batch),
                subject_by("eddy_functions_local", eddy_runs<eddy_functions>::batches_from_inside, batch),
                subject_by("eddy_tasks", eddy_runs<eddy_tasks>::batches_from_outside, batch),
                subject_by("eddy_tasks_local", eddy_runs<eddy_tasks>::batches_from_inside, batch)}};
}

benchmark scaling(int threads) {
    constexpr int batch = 100'000;
    return {.name = "multithreaded_scaling/" + std::to_string(threads),
            .about = "a feeder hands over 100000 at a time, " + std::to_string(threads) + " threads run them",
            .item = "function or task",
            .subjects = {subject_by("asio_callbacks", asio_runs<asio_callbacks>::scaling, threads, batch),
                         subject_by("asio_coroutines", asio_runs<asio_coroutines>::scaling, threads, batch),
                         subject_by("eddy_functions", eddy_runs<eddy_functions>::scaling, threads, batch),
                         subject_by("eddy_tasks", eddy_runs<eddy_tasks>::scaling, threads, batch)}};
}

benchmark concurrent(int threads) {
    constexpr int batch = 10'000;
    return {
        .name = "concurrent_post_run/" + std::to_string(threads),
        .about = std::to_string(threads) + " threads, each hands over 10000 and runs what there is",
        .item = "function or task",
        .subjects = {subject_by("asio_callbacks", asio_runs<asio_callbacks>::concurrent, threads, batch),
                     subject_by("asio_coroutines", asio_runs<asio_coroutines>::concurrent, threads, batch),
                     subject_by("eddy_functions", eddy_runs<eddy_functions>::concurrent, threads, batch),
                     subject_by("eddy_tasks", eddy_runs<eddy_tasks>::concurrent, threads, batch)}};
}

}  // namespace

benchmarks measured_benchmarks() {
    return {compared::wall_clock,
            {batches("single_threaded_post", 1000), batches("interleaved_post_run", 100), scaling(1),
             scaling(2), scaling(4), scaling(8), concurrent(2), concurrent(4)}};
}

}  // namespace bench
