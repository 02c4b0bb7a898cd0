// WebSocket echo server on Boost.Beast with completion handlers, after its websocket_server_async example.
#include "peers/asio_callbacks/server.hpp"
#include "peers/common/server_options.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace {

namespace websocket = boost::beast::websocket;

class session : public std::enable_shared_from_this<session> {
public:
    explicit session(bench::asio_socket socket) : stream_(std::move(socket)) {}

    void start() {
        // A message in one frame, as it came: less to do, and what the load expects.
        stream_.auto_fragment(false);
        stream_.async_accept([self = shared_from_this()](boost::system::error_code error) {
            if (!error)
                self->read();
        });
    }

private:
    void read() {
        stream_.async_read(buffer_,
                           [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                               if (!error)
                                   self->write();
                           });
    }

    void write() {
        stream_.text(stream_.got_text());
        stream_.async_write(buffer_.data(),
                            [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                                self->buffer_.clear();
                                if (!error)
                                    self->read();
                            });
    }

    // Without permessage-deflate, which no client of the benchmark offers.
    websocket::stream<bench::asio_socket, false> stream_;
    boost::beast::flat_buffer buffer_;
};

}  // namespace

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    bench::asio_server<session>(options).run();
}
