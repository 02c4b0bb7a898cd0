// HTTP server on Boost.Asio with its own coroutines that parses nothing.
#include "peers/asio_coroutines/server.hpp"
#include "peers/common/server_options.hpp"
#include "peers/common/unparsed_http.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <cstring>

namespace {

boost::asio::awaitable<void> answer(bench::asio_socket socket, const bench::unparsed_http& http) {
    char buffer[16384];
    std::size_t filled = 0;
    try {
        while (filled < sizeof buffer) {
            filled += co_await socket.async_read_some(boost::asio::buffer(buffer) + filled);
            while (const std::size_t length = http.request_length({buffer, filled})) {
                const std::string_view reply = http.reply_to({buffer, length});
                filled -= length;
                std::memmove(buffer, buffer + length, filled);
                co_await boost::asio::async_write(socket, boost::asio::buffer(reply));
            }
        }
    } catch (const boost::system::system_error&) {
        // The peer has gone; so does the connection.
    }
}

}  // namespace

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    const bench::unparsed_http http(options.root);
    bench::run_asio_server(options,
                           [&http](bench::asio_socket socket) { return answer(std::move(socket), http); });
}
