// HTTP server by hand on epoll that parses nothing: the lower limit of readiness-based I/O.
#include "peers/common/server_options.hpp"
#include "peers/common/unparsed_http.hpp"
#include "peers/raw_epoll/loop.hpp"

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    const bench::unparsed_http http(options.root);
    const auto answer_all = [&http](bench::epoll_connection& c, std::string_view bytes) {
        return http.answer_all(c.unparsed, bytes,
                               [&c](std::string_view reply) { return bench::send_or_keep(c, reply); });
    };
    bench::epoll_loop(bench::listen_socket(options.port, SOCK_NONBLOCK), answer_all).run();
}
