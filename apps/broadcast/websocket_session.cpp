#include "broadcast/websocket_session.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/http/server/request_error.hpp>
#include <eddy/http/websocket/accept_websocket.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::apps {

namespace {

/// A message may be several lines.
task<> say_lines(std::string_view text, hub& all, std::size_t worker, receiver& speaker,
                 const broadcast_options& how) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view next = text.substr(0, end);
        if (next.ends_with('\r'))
            next.remove_suffix(1);
        if (next.size() > how.line_bytes_max) {
            speaker.offer(make_too_long_line(how.line_bytes_max));
        } else {
            shared_line said = make_line(next);
            co_await all.say(worker, std::move(said), how.echoes ? nullptr : &speaker);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

task<> read_messages(http::websocket& client, hub& all, std::size_t worker, receiver& speaker,
                     const broadcast_options& how) {
    for (;;) {
        const auto next = co_await client.receive_view();
        if (!next)
            co_return;
        co_await say_lines(as_text(next->bytes()), all, worker, speaker, how);
    }
}

/// The lines that wait leave in one write of the websocket's.
task<> write_messages(http::websocket& client, receiver& listener) {
    std::vector<shared_line> lines;
    for (;;) {
        lines.clear();
        co_await listener.take(lines, lines_at_once);
        if (lines.empty())
            co_return;
        for (const shared_line& each : lines) {
            if (each->is_utf8())
                co_await client.send_text(each->text());
            else
                co_await client.send_binary(as_bytes(each->text()));
        }
    }
}

}  // namespace

task<> visit_by_websocket(http::exchange& ex, hub& all, std::size_t worker, const broadcast_options& how) {
    using namespace std::chrono_literals;
    const connection_place place(all.figures(), how.connections_max);
    if (!place.is_taken())
        throw http::request_error(http::status::service_unavailable, "there are too many connections\n");
    const auto settings = http::websocket_options()
                              .message_bytes_max(std::max(how.message_bytes_max, how.line_bytes_max))
                              .close_timeout(2s)
                              .checks_sent_text(false);  // they were, once for all
    http::websocket client = co_await http::accept_websocket(ex, settings);
    receiver mine(how.lines_max, how.slow, all.figures());
    try {
        std::size_t ended = 0;
        {
            const room::stay here(all.room_of(worker), mine);
            const auto first = co_await race(read_messages(client, all, worker, mine, how),
                                             write_messages(client, mine), mine.dismissal().wait());
            ended = first.index();
        }
        if (ended == 1)
            co_await client.close(http::websocket_close_code::going_away, "the broadcaster closes");
        else if (ended == 2)
            co_await client.close(http::websocket_close_code::policy_violation, "you read too slowly");
    } catch (const std::exception&) {
        // The connection is lost, the client broke the protocol and got a close code, or memory is exhausted.
    }
}

}  // namespace eddy::apps
