#include "http/server/protocol_preface.hpp"

#include "http/codec/prefixed_stream.hpp"
#include "http/server/connection.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/runtime/detail/deadline.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

namespace {

// What HTTP/2 begins with and no request of HTTP/1 does (RFC 9113 section 3.4). The rest of the preface is for
// the protocol to check.
constexpr std::string_view preface = "PRI ";

/// A client that has not shown what it speaks: drain() may close it.
template <class Stream>
class undecided final : public idle_connection {
public:
    undecided(server_state& shared, Stream& stream) : stream_(stream) { shared.idle.push_back(*this); }
    void close() noexcept override { stream_.close(); }

private:
    Stream& stream_;
};

/// Reads until the first bytes decide. Returns them; none where the client has gone.
task<std::string> first_bytes(server_state& shared, any_stream& stream, std::string front) {
    using eddy::detail::deadline_after;
    const time_point idle_until = deadline_after(shared.home.turn_time(), shared.options.idle_timeout());
    const undecided<any_stream> waiting(shared, stream);
    while (preface.starts_with(front) && front.size() < preface.size()) {
        const time_point until = front.empty()
                                     ? idle_until
                                     : deadline_after(shared.home.turn_time(), shared.options.head_timeout());
        const auto arrived = co_await stream.read_leased_until(until);
        if (!arrived || arrived->empty())
            co_return std::string();
        front.append(as_text(arrived->bytes()));
    }
    co_return front;
}

}  // namespace

task<void> serve_by_preface(server_state& shared, tcp_stream accepted, address_counts::slot slot) {
    try {
        // Nearly always they come at once, and are put back as they were.
        const time_point idle_until =
            eddy::detail::deadline_after(shared.home.turn_time(), shared.options.idle_timeout());
        std::string front;
        {
            const undecided<tcp_stream> waiting(shared, accepted);
            auto reading = with_deadline(accepted.read_leased(), idle_until);
            auto first = co_await as_result(std::move(reading));
            if (!first || first->empty())
                co_return;
            const std::string_view shown = as_text(first->bytes()).substr(0, preface.size());
            if (preface.starts_with(shown))
                front.assign(as_text(first->bytes()));
            else
                accepted.put_back(std::move(*first));
        }
        if (front.empty())
            co_return co_await connection::serve(shared, any_stream(std::move(accepted)), nullptr,
                                                 std::move(slot));
        any_stream stream(std::move(accepted));
        if (front.size() < preface.size()) {
            front = co_await first_bytes(shared, stream, std::move(front));
            if (front.empty())
                co_return;
        }
        if (front.starts_with(preface))
            co_return co_await shared.protocol->serve(std::move(stream), nullptr, std::move(slot),
                                                      std::move(front));
        any_stream prefixed(prefixed_stream(std::move(front), std::move(stream)));
        co_return co_await connection::serve(shared, std::move(prefixed), nullptr, std::move(slot));
    } catch (...) {
        // The client has gone, or memory is exhausted: only this connection ends.
    }
}

task<void> serve_by_preface(server_state& shared, any_stream stream, std::unique_ptr<connection_info> info) {
    try {
        std::string front = co_await first_bytes(shared, stream, {});
        if (front.empty())
            co_return;
        if (front.starts_with(preface))
            co_return co_await shared.protocol->serve(std::move(stream), std::move(info), {},
                                                      std::move(front));
        any_stream prefixed(prefixed_stream(std::move(front), std::move(stream)));
        co_return co_await connection::serve(shared, std::move(prefixed), std::move(info));
    } catch (...) {
        // As above.
    }
}

}  // namespace eddy::http
