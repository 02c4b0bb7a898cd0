// HTTP server by hand on io_uring that parses nothing: the lower limit of completion-based I/O.
#include "peers/common/server_options.hpp"
#include "peers/common/unparsed_http.hpp"
#include "peers/raw_io_uring/loop.hpp"

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    const bench::unparsed_http http(options.root);
    const auto answer_all = [&http](auto& loop, bench::ring_connection& c, std::string_view bytes,
                                    int buffer) {
        const bool goes_on = http.answer_all(c.unparsed, bytes, [&](std::string_view reply) {
            loop.send(c, {reply});
            return true;
        });
        if (!goes_on)
            loop.end(c);
        loop.give_back(buffer);
    };
    bench::ring_loop(bench::listen_socket(options.port, 0), answer_all).run();
}
