// Echo server on libuv, after its guide's echo server.
#include "peers/libuv/server.hpp"

int main(int argc, char** argv) {
    const auto send_back = [](auto& server, bench::uv_connection& c, std::string_view bytes) {
        return server.send(c, bytes);
    };
    bench::uv_server(bench::parse_server_options(argc, argv), send_back).run();
}
