#pragma once

#include "peers/common/run_on_threads.hpp"
#include "peers/common/server_options.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>

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

// Runs `session(socket)` for each connection. The context's concurrency hint is how many threads run it; 1 is
// what its documentation offers to programs with one. A session has one operation under way at a time, so it
// needs no strand.
template <class Session>
void run_asio_server(const server_options& options, Session session) {
    boost::asio::io_context context(static_cast<int>(options.threads));
    asio_acceptor acceptor(context, {boost::asio::ip::address_v4::loopback(), options.port});
    boost::asio::co_spawn(context, accept_for_ever(std::move(acceptor), session), boost::asio::detached);
    run_on_threads(context, options.threads);
}

}  // namespace bench
