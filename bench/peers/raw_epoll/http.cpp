// HTTP server by hand on epoll that parses nothing: the lower limit of readiness-based I/O.
#include "peers/common/server_options.hpp"
#include "peers/common/unparsed_http.hpp"
#include "peers/raw_epoll/loop.hpp"

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    const bench::unparsed_http http(options.root);
    auto answer_all = [&http](bench::epoll_connection& c, std::string_view bytes) {
        if (!c.unparsed.empty())
            bytes = c.unparsed += bytes;
        while (const std::size_t length = http.request_length(bytes)) {
            if (!bench::send_or_keep(c, http.reply_to(bytes.substr(0, length))))
                return false;
            bytes.remove_prefix(length);
        }
        if (!bytes.empty() || !c.unparsed.empty())
            c.unparsed = std::string(bytes);
        return c.unparsed.size() < 65536;
    };
    bench::epoll_loop(bench::listen_socket(options.port, SOCK_NONBLOCK), answer_all).run();
}
