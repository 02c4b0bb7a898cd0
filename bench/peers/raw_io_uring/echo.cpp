// Echo server by hand on io_uring: the lower limit of completion-based I/O.
#include "peers/common/server_options.hpp"
#include "peers/raw_io_uring/loop.hpp"

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    const auto echo = [](auto& loop, bench::ring_connection& c, std::string_view bytes, int buffer) {
        loop.send(c, {bytes, buffer});
    };
    bench::ring_loop(bench::listen_socket(options.port, 0), echo).run();
}
