// HTTP server on Boost.Asio with completion handlers that parses nothing.
#include "peers/asio_callbacks/server.hpp"
#include "peers/common/server_options.hpp"
#include "peers/common/unparsed_http.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <cstring>

namespace {

class session : public std::enable_shared_from_this<session> {
public:
    session(bench::asio_socket socket, const bench::unparsed_http* http)
        : socket_(std::move(socket)), http_(*http) {}

    void start() { read(); }

private:
    void read() {
        socket_.async_read_some(
            boost::asio::buffer(buffer_) + filled_,
            [self = shared_from_this()](boost::system::error_code error, std::size_t count) {
                if (error)
                    return;
                self->filled_ += count;
                self->answer();
            });
    }

    // Answers the first whole request in the buffer, or reads on. A full buffer without one reads 0 bytes,
    // which Asio reports as success; such a client is let go.
    void answer() {
        const std::size_t length = http_.request_length({buffer_.data(), filled_});
        if (length == 0)
            return filled_ == buffer_.size() ? void() : read();
        const std::string_view reply = http_.reply_to({buffer_.data(), length});
        filled_ -= length;
        std::memmove(buffer_.data(), buffer_.data() + length, filled_);
        boost::asio::async_write(socket_, boost::asio::buffer(reply),
                                 [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                                     if (!error)
                                         self->filled_ == 0 ? self->read() : self->answer();
                                 });
    }

    bench::asio_socket socket_;
    const bench::unparsed_http& http_;
    std::size_t filled_ = 0;
    std::array<char, 16384> buffer_;
};

}  // namespace

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    const bench::unparsed_http http(options.root);
    bench::asio_server<session, const bench::unparsed_http*>(options, &http).run();
}
