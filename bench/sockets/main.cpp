// Measures what sockets and pipes cost within one thread: eddy, Boost.Asio and system calls made by hand, by
// the definitions of Boost.Corosio's socket benchmarks.
//   eddy-bench-sockets --contest ping_pong,one_way_tcp --repeat 9
#include "contest/run_suite.hpp"
#include "sockets/contests.hpp"

int main(int argc, char** argv) {
    return bench::run_suite(bench::sockets_suite(), argc, argv);
}
