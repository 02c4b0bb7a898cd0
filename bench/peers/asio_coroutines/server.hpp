#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstdint>
#include <utility>

namespace bench {

// use_awaitable as the default token, as Asio's echo_server_with_default example has it.
using asio_socket = boost::asio::use_awaitable_t<>::as_default_on_t<boost::asio::ip::tcp::socket>;
using asio_acceptor = boost::asio::use_awaitable_t<>::as_default_on_t<boost::asio::ip::tcp::acceptor>;

template <class Session>
boost::asio::awaitable<void> accept_for_ever(asio_acceptor acceptor, Session session) {
    for (;;) {
        asio_socket socket = co_await acceptor.async_accept();
        socket.set_option(boost::asio::ip::tcp::no_delay(true));
        boost::asio::co_spawn(acceptor.get_executor(), session(std::move(socket)), boost::asio::detached);
    }
}

// Runs `session(socket)` for each connection. The context's concurrency hint is 1, which its documentation
// offers to programs that run it from one thread.
template <class Session>
void run_asio_server(std::uint16_t port, Session session) {
    boost::asio::io_context context(1);
    asio_acceptor acceptor(context, {boost::asio::ip::address_v4::loopback(), port});
    boost::asio::co_spawn(context, accept_for_ever(std::move(acceptor), session), boost::asio::detached);
    context.run();
}

}  // namespace bench
