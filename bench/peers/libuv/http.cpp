// HTTP server on libuv that parses nothing.
#include "peers/common/unparsed_http.hpp"
#include "peers/libuv/server.hpp"

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    const bench::unparsed_http http(options.root);
    const auto answer_all = [&http](auto& server, bench::uv_connection& c, std::string_view bytes) {
        if (!c.unparsed.empty())
            bytes = c.unparsed += bytes;
        while (const std::size_t length = http.request_length(bytes)) {
            if (!server.send(c, http.reply_to(bytes.substr(0, length))))
                return false;
            bytes.remove_prefix(length);
        }
        if (!bytes.empty() || !c.unparsed.empty())
            c.unparsed = std::string(bytes);
        return c.unparsed.size() < 65536;
    };
    bench::uv_server(options, answer_all).run();
}
