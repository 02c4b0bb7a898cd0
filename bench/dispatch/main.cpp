// Measures how fast functions and tasks are handed to threads and run there: Boost.Asio and eddy, by the
// definitions of Boost.Corosio's io_context benchmarks.
//   eddy-bench-dispatch --contest single_threaded --repeat 9
#include "contest/run_suite.hpp"
#include "dispatch/contests.hpp"

int main(int argc, char** argv) {
    return bench::run_suite(bench::dispatch_suite(), argc, argv);
}
