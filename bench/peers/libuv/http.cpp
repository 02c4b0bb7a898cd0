// HTTP server on libuv that parses nothing.
#include "peers/common/unparsed_http.hpp"
#include "peers/libuv/server.hpp"

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    const bench::unparsed_http http(options.root);
    const auto answer_all = [&http](auto& server, bench::uv_connection& c, std::string_view bytes) {
        return http.answer_all(c.unparsed, bytes,
                               [&](std::string_view reply) { return server.send(c, reply); });
    };
    bench::uv_server(options, answer_all).run();
}
