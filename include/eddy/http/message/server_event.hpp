#pragma once

#include <eddy/detail/build.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

/// One event of an event stream (text/event-stream, HTML standard section 9.2). Setters chain. It owns its
/// texts; they are UTF-8.
class server_event {
public:
    /// An event without fields.
    server_event() = default;
    explicit server_event(std::string data) : data_(std::move(data)) {}

    /// Any text; each of its lines becomes a line of the event, whatever ends them. Nothing: the event is not
    /// dispatched by the client, but its id and retry count.
    server_event& data(std::string text) {
        data_ = std::move(text);
        return *this;
    }
    /// What the client sends back in Last-Event-ID when it connects again; an empty one makes it forget.
    /// Throws std::invalid_argument for line ends and NUL.
    server_event& id(std::string text);
    /// The type of the event, "message" without it. Throws as id() does.
    server_event& type(std::string text);
    /// How long the client waits before it connects again.
    server_event& retry(std::chrono::milliseconds wait) noexcept {
        retry_ = wait;
        return *this;
    }

    /// Adds it to a text, as it is sent.
    void append_to(std::string& out) const;
    /// As it is sent.
    [[nodiscard]] std::string text() const {
        std::string out;
        append_to(out);
        return out;
    }

private:
    std::optional<std::string> data_;
    std::optional<std::string> id_;
    std::string type_;
    std::optional<std::chrono::milliseconds> retry_;
};

/// Appends a comment, which clients leave out: something to send while there is no event.
void append_event_comment(std::string& out, std::string_view text);

}  // namespace eddy::http
