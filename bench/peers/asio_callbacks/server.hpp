#pragma once

#include "peers/common/run_on_threads.hpp"
#include "peers/common/server_options.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <memory>
#include <tuple>
#include <utility>

namespace bench {

// With the context's own executor in their types, so that nothing is dispatched over a table of functions.
using asio_executor = boost::asio::io_context::executor_type;
using asio_socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, asio_executor>;
using asio_acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, asio_executor>;

// Accepts for ever and starts `Session(socket, arguments...)`, as Asio's echo example does. The context's
// concurrency hint is how many threads run it; 1 is what its documentation offers to programs with one. A
// session has one operation under way at a time, so it needs no strand.
template <class Session, class... Arguments>
class asio_server {
public:
    explicit asio_server(const server_options& options, Arguments... arguments)
        : threads_(options.threads),
          acceptor_(context_, {boost::asio::ip::address_v4::loopback(), options.port}),
          arguments_(arguments...) {
        accept();
    }

    void run() { run_on_threads(context_, threads_); }

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

    unsigned threads_;
    boost::asio::io_context context_{static_cast<int>(threads_)};
    asio_acceptor acceptor_;
    std::tuple<Arguments...> arguments_;
};

}  // namespace bench
