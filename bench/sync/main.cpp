// Measures eddy's synchronisation primitives against those of the standard library, and its channel against
// Boost.Asio's.
//   eddy-bench-sync --contest mutex,channel --repeat 9
#include "contest/run_suite.hpp"
#include "sync/contests.hpp"

int main(int argc, char** argv) {
    return bench::run_suite(bench::sync_suite(), argc, argv);
}
