#include "broadcast/tcp_session.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/stream_error.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::apps {

namespace {

using line_reader = buffered_reader<tcp_stream&>;

// How long a client that leaves may take to read the rest.
constexpr auto farewell_time_max = std::chrono::seconds(2);

/// Goes behind the end of a line that is too long. False at the end of the stream.
task<bool> skip_line(line_reader& from) {
    for (;;) {
        const std::string_view there = as_text(from.buffered());
        const auto end = there.find('\n');
        if (end != std::string_view::npos) {
            co_await from.skip(end + 1);
            co_return true;
        }
        co_await from.skip(there.size());
        const auto more = co_await from.peek(1);
        if (more.empty())
            co_return false;
    }
}

/// Whether a line begins a request of HTTP, as a web page could have any browser send it here: "POST /
/// HTTP/1.1".
bool is_http_request(std::string_view line) {
    const std::size_t target = line.find(' ');
    const std::size_t version = line.rfind(" HTTP/");
    return target != std::string_view::npos && version != std::string_view::npos && target < version;
}

/// Says what the client sends. Ends with the stream.
task<> read_lines(tcp_stream& client, hub& all, std::size_t worker, receiver& speaker,
                  const broadcast_options& how) {
    line_reader reader(client);
    const shared_line too_long = make_too_long_line(how.line_bytes_max);
    for (bool is_first = true;; is_first = false) {
        const auto next = co_await as_result(reader.read_line(how.line_bytes_max));
        if (!next) {
            if (next.error() != stream_error::limit_exceeded)
                throw std::system_error(next.error());
            speaker.offer(too_long);
            const bool goes_on = co_await skip_line(reader);
            if (!goes_on)
                co_return;
            continue;
        }
        if (!*next || (is_first && is_http_request(**next)))
            co_return;
        const shared_line said = make_line(**next);
        co_await all.say(worker, said, how.echoes ? nullptr : &speaker);
    }
}

/// Sends the client its lines; those that wait go out in one write, from the memory that all share.
task<> write_lines(tcp_stream& client, receiver& listener) {
    std::vector<shared_line> lines;
    std::vector<const_buffer> buffers;
    for (;;) {
        lines.clear();
        co_await listener.take(lines, lines_at_once);
        if (lines.empty())
            co_return;
        buffers.clear();
        for (const shared_line& each : lines)
            buffers.emplace_back(each->with_end());
        co_await client.write_all(std::span(buffers));
    }
}

task<> refuse(tcp_stream client) {
    constexpr std::string_view reason = "error: there are too many connections\n";
    static_cast<void>(
        co_await as_result(with_timeout(client.write_all(as_bytes(reason)), farewell_time_max)));
    static_cast<void>(co_await as_result(with_timeout(client.shutdown(), farewell_time_max)));
}

}  // namespace

task<> visit_by_tcp(tcp_stream client, hub& all, std::size_t worker, const broadcast_options& how) {
    const connection_place place(all.figures(), how.connections_max);
    if (!place.is_taken()) {
        co_await refuse(std::move(client));
        co_return;
    }
    receiver mine(how.lines_max, how.slow, all.figures());
    try {
        std::size_t ended = 0;
        {
            const room::stay here(all.room_of(worker), mine);
            // Whatever ends first ends the visit: the client's lines, the room's, or its patience.
            const auto first = co_await race(read_lines(client, all, worker, mine, how),
                                             write_lines(client, mine), mine.dismissal().wait());
            ended = first.index();
        }
        if (ended == 2)
            client.abort();
        else
            static_cast<void>(co_await as_result(with_timeout(client.shutdown(), farewell_time_max)));
    } catch (const std::exception&) {
        // The client has gone, or memory is exhausted: only this visit ends.
    }
}

}  // namespace eddy::apps
