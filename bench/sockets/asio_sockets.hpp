#pragma once

#include "sockets/connections.hpp"
#include "sockets/works.hpp"

#include <boost/asio/basic_readable_pipe.hpp>
#include <boost/asio/basic_writable_pipe.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <array>
#include <utility>
#include <vector>

namespace bench {

// Asio's classes with the executor known to the compiler, which spares them a virtual call and a count.
using asio_executor = boost::asio::io_context::executor_type;
using asio_tcp = boost::asio::ip::tcp;
using asio_tcp_socket = boost::asio::basic_stream_socket<asio_tcp, asio_executor>;
using asio_tcp_acceptor = boost::asio::basic_socket_acceptor<asio_tcp, asio_executor>;
using asio_local_socket =
    boost::asio::basic_stream_socket<boost::asio::local::stream_protocol, asio_executor>;
using asio_udp_socket = boost::asio::basic_datagram_socket<boost::asio::ip::udp, asio_executor>;
using asio_readable_pipe = boost::asio::basic_readable_pipe<asio_executor>;
using asio_writable_pipe = boost::asio::basic_writable_pipe<asio_executor>;

template <class Socket>
std::pair<Socket, Socket> asio_pair(boost::asio::io_context& context) {
    if constexpr (std::is_same_v<Socket, asio_local_socket>) {
        const auto [first, second] = connected_pair(transport::local);
        return {Socket(context, boost::asio::local::stream_protocol(), first),
                Socket(context, boost::asio::local::stream_protocol(), second)};
    } else if constexpr (std::is_same_v<Socket, asio_udp_socket>) {
        const auto [first, second] = datagram_pair();
        return {Socket(context, boost::asio::ip::udp::v4(), first),
                Socket(context, boost::asio::ip::udp::v4(), second)};
    } else {
        const auto [first, second] = connected_pair(transport::tcp);
        return {Socket(context, asio_tcp::v4(), first), Socket(context, asio_tcp::v4(), second)};
    }
}

// Several pairs that more than one thread may use, each socket for one read and one write at a time.
template <class Socket>
std::vector<std::pair<Socket, Socket>> asio_pairs(boost::asio::io_context& context, std::size_t count) {
    std::vector<std::pair<Socket, Socket>> pairs;
    for (std::size_t at = 0; at < count; ++at) {
        auto& pair = pairs.emplace_back(asio_pair<Socket>(context));
        // Asio does it with the first operation, which must not come from two threads.
        pair.first.native_non_blocking(true);
        pair.second.native_non_blocking(true);
    }
    return pairs;
}

// Runs the context on so many threads until it has nothing left to do. The first exception is rethrown.
void run_on_threads(boost::asio::io_context& context, std::size_t threads);

// A listener of churn's, and where it listens.
struct asio_listening {
    explicit asio_listening(boost::asio::io_context& context)
        : asio_listening(context, listen_on_loopback()) {}
    asio_listening(boost::asio::io_context& context, const listening& made)
        : acceptor(context, asio_tcp::v4(), made.descriptor),
          at(boost::asio::ip::address_v4::loopback(), made.port) {}

    asio_tcp_acceptor acceptor;
    asio_tcp::endpoint at;
};

// A connecting socket of churn's.
inline asio_tcp_socket asio_churn_socket(boost::asio::io_context& context) {
    asio_tcp_socket made(context, asio_tcp::v4());
    made.set_option(asio_tcp::no_delay(true));
    made.set_option(boost::asio::socket_base::linger(true, 0));
    return made;
}

inline void check(const boost::system::error_code& error) {
    if (error)
        throw boost::system::system_error(error);
}

// Writes 256 bytes to one end and reads them from the other, again and again, with functions that are called
// back.
template <class Writer, class Reader>
class asio_pair_loop {
public:
    asio_pair_loop(Writer& writer, Reader& reader, const alarm_clock& alarm)
        : writer_(writer), reader_(reader), alarm_(alarm) {}

    void go_on() {
        if (alarm_.has_rung())
            return;
        const auto written = [this](const boost::system::error_code& error, std::size_t size) {
            check(error);
            expect_bytes(bytes_.size(), size);
            reader_.async_read_some(boost::asio::buffer(bytes_),
                                    [this](const boost::system::error_code& failed, std::size_t read) {
                                        check(failed);
                                        expect_bytes(bytes_.size(), read);
                                        ++count;
                                        go_on();
                                    });
        };
        writer_.async_write_some(boost::asio::buffer(bytes_), written);
    }

    std::int64_t count = 0;

private:
    Writer& writer_;
    Reader& reader_;
    const alarm_clock& alarm_;
    std::array<char, pipe_work::bytes> bytes_{};
};

}  // namespace bench
