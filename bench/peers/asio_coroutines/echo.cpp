// Echo server on Boost.Asio with its own coroutines, after Asio's echo_server_with_default example.
#include "peers/asio_coroutines/server.hpp"
#include "peers/common/server_options.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

namespace {

boost::asio::awaitable<void> echo(bench::asio_socket socket) {
    char buffer[16384];
    try {
        for (;;) {
            const std::size_t count = co_await socket.async_read_some(boost::asio::buffer(buffer));
            co_await boost::asio::async_write(socket, boost::asio::buffer(buffer, count));
        }
    } catch (const boost::system::system_error&) {
        // The peer has gone; so does the connection.
    }
}

}  // namespace

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    bench::run_asio_server(options, echo);
}
