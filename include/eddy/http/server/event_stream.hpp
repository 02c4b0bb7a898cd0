#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/message/server_event.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/response.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

/// A response of type text/event-stream, event by event (HTML standard section 9.2).
///
///     event_stream events(ex);
///     co_await events.begin();
///     while (!events.is_ending()) {
///         const std::string news = co_await next_news();
///         co_await events.send(server_event(news));
///     }
///
/// Cancellation: a dropped send may have sent part of its event; the connection ends with the handler's task
/// then. Errors: those of exchange::write(), for example when the client has gone. Requires: the exchange
/// outlives it.
class event_stream {
public:
    /// Responds on an exchange, which outlives it.
    explicit event_stream(exchange& ex) noexcept : requested_(ex) {}

    /// What the client has seen last, if it connects again.
    [[nodiscard]] std::optional<std::string_view> last_event_id() const noexcept {
        return requested_.request().find("last-event-id");
    }
    /// Whether the server drains. A stream ends then; clients connect again, elsewhere.
    [[nodiscard]] bool is_ending() const noexcept { return requested_.stop_token().stop_requested(); }

    /// Begins the response: 200, not to be stored. Requires: not answered yet.
    [[nodiscard]] task<> begin();
    /// Sends an event, and waits until the connection has taken it.
    [[nodiscard]] task<> send(const server_event& event);
    /// Sends a comment, which clients ignore: it keeps the connection open.
    [[nodiscard]] task<> comment(std::string_view text = {});

private:
    [[nodiscard]] task<> send_text();

    exchange& requested_;
    std::string text_;
};

/// Sends what a generator yields, until it ends, the client goes, or the server drains; sends a comment
/// whenever there was nothing for `keep_alive`, so that a client that has gone is noticed. Owns the
/// generator: when the task ends or is dropped, the generator is destroyed. Requires: the exchange outlives
/// it.
[[nodiscard]] task<> send_events(exchange& ex, async_generator<server_event> events,
                                 duration keep_alive = std::chrono::seconds(15));

/// The same as a response.
[[nodiscard]] response event_response(async_generator<server_event> events,
                                      duration keep_alive = std::chrono::seconds(15));

}  // namespace eddy::http
