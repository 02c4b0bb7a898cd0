// Measures timers of Boost.Asio and eddy, by the definitions of Boost.Corosio's timer benchmarks and beyond.
//   eddy-bench-timers --contest schedule --repeat 9
#include "contest/run_suite.hpp"
#include "timers/contests.hpp"

int main(int argc, char** argv) {
    return bench::run_suite(bench::timers_suite(), argc, argv);
}
