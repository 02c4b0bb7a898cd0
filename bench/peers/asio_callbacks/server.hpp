#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>

namespace bench {

// With the context's own executor in their types, so that nothing is dispatched over a table of functions.
using asio_executor = boost::asio::io_context::executor_type;
using asio_socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, asio_executor>;
using asio_acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, asio_executor>;

// Accepts for ever and starts `Session(socket, arguments...)`, as Asio's echo example does. The context's
// concurrency hint is 1, which its documentation offers to programs that run it from one thread.
template <class Session, class... Arguments>
class asio_server {
public:
    explicit asio_server(std::uint16_t port, Arguments... arguments)
        : acceptor_(context_, {boost::asio::ip::address_v4::loopback(), port}), arguments_(arguments...) {
        accept();
    }

    void run() { context_.run(); }

private:
    void accept() {
        acceptor_.async_accept([this](boost::system::error_code error, asio_socket socket) {
            if (!error)
                start(std::move(socket));
            accept();
        });
    }

    void start(asio_socket socket) {
        socket.set_option(boost::asio::ip::tcp::no_delay(true));
        std::apply(
            [&](auto&... arguments) { std::make_shared<Session>(std::move(socket), arguments...)->start(); },
            arguments_);
    }

    boost::asio::io_context context_{1};
    asio_acceptor acceptor_;
    std::tuple<Arguments...> arguments_;
};

}  // namespace bench
