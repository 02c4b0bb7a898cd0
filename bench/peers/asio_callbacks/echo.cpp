// Echo server on Boost.Asio with completion handlers, after Asio's async_tcp_echo_server example.
#include "peers/asio_callbacks/server.hpp"
#include "peers/common/server_options.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <array>

namespace {

class session : public std::enable_shared_from_this<session> {
public:
    explicit session(bench::asio_socket socket) : socket_(std::move(socket)) {}

    void start() { read(); }

private:
    void read() {
        socket_.async_read_some(
            boost::asio::buffer(buffer_),
            [self = shared_from_this()](boost::system::error_code error, std::size_t count) {
                if (!error)
                    self->write(count);
            });
    }

    void write(std::size_t count) {
        boost::asio::async_write(socket_, boost::asio::buffer(buffer_, count),
                                 [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                                     if (!error)
                                         self->read();
                                 });
    }

    bench::asio_socket socket_;
    std::array<char, 16384> buffer_;
};

}  // namespace

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    bench::asio_server<session>(options).run();
}
