#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/response.hpp>
#include <eddy/http/server_event.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

/// An answer of type text/event-stream, event by event (HTML standard section 9.2).
///
///     event_stream events(asked);
///     co_await events.begin();
///     while (!events.is_ending()) {
///         const std::string news = co_await next_news();
///         co_await events.send(server_event(news));
///     }
///
/// Cancellation: a dropped send may have sent part of its event; the connection ends with the handler's task
/// then. Errors: those of exchange::write(), as when the client has gone. Requires: the exchange outlives it.
class event_stream {
public:
    explicit event_stream(exchange& asked) noexcept : asked_(asked) {}

    /// What the client has seen last, if it connects again.
    [[nodiscard]] std::optional<std::string_view> last_event_id() const noexcept {
        return asked_.request().find("last-event-id");
    }
    /// Whether the server drains. A stream ends then; clients connect again, elsewhere.
    [[nodiscard]] bool is_ending() const noexcept { return asked_.stop_token().stop_requested(); }

    /// Begins the answer: 200, not to be stored. Requires: not answered yet.
    [[nodiscard]] task<> begin();
    [[nodiscard]] task<> send(const server_event& event);
    [[nodiscard]] task<> comment(std::string_view text = {});

private:
    [[nodiscard]] task<> send_text();

    exchange& asked_;
    std::string text_;
};

/// Sends what a generator gives, until it ends, the client goes, or the server drains; a comment whenever
/// there was nothing for `keep_alive`, by which a client that has gone is noticed. When it ends or is
/// dropped, so is the generator. Requires: the exchange outlives it.
[[nodiscard]] task<> send_events(exchange& asked, async_generator<server_event> events,
                                 duration keep_alive = std::chrono::seconds(15));

/// The same as a response.
[[nodiscard]] response event_response(async_generator<server_event> events,
                                      duration keep_alive = std::chrono::seconds(15));

}  // namespace eddy::http
