// Echo server by hand on epoll: the lower limit of readiness-based I/O.
#include "peers/common/server_options.hpp"
#include "peers/raw_epoll/loop.hpp"

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    bench::epoll_loop(bench::listen_socket(options.port, SOCK_NONBLOCK), bench::send_or_keep).run();
}
