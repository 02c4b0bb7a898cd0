// eddy-project: sends back what it receives on port 7000 of 127.0.0.1, on all cores.
#include "echo.hpp"

#include <cstdio>
#include <exception>

int main() {
    try {
        eddy::run(eddy::serve(eddy::endpoint::loopback_ipv4(7000), eddy_project::echo), eddy::all_cores);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "eddy-project: %s\n", error.what());
        return 1;
    }
}
