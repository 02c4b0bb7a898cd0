// HTTP server on Boost.Beast with completion handlers, after its http_server_fast example.
#include "peers/asio_callbacks/server.hpp"
#include "peers/beast/exchange.hpp"
#include "peers/common/server_options.hpp"

#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

namespace {

namespace http = boost::beast::http;

class session : public std::enable_shared_from_this<session> {
public:
    explicit session(bench::asio_socket socket) : socket_(std::move(socket)) {}

    void start() { read(); }

private:
    void read() {
        http::async_read(socket_, exchange_.buffer(), exchange_.next_request(),
                         [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                             if (!error)
                                 self->answer();
                         });
    }

    void answer() {
        http::async_write(socket_, exchange_.answer(),
                          [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                              if (!error && self->exchange_.keeps_alive())
                                  self->read();
                          });
    }

    bench::asio_socket socket_;
    bench::beast_exchange exchange_;
};

}  // namespace

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    bench::asio_server<session>(options).run();
}
