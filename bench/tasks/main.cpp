// Measures tasks that run other tasks, alone and over sockets, against Boost.Asio, Tokio and Go.
//   eddy-bench-tasks --contest skynet,fib --repeat 9
#include "contest/run_suite.hpp"
#include "tasks/contests.hpp"

int main(int argc, char** argv) {
    return bench::run_suite(bench::tasks_suite(), argc, argv);
}
