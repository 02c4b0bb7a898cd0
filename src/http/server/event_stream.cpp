#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/server/event_stream.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <array>
#include <exception>
#include <memory>
#include <stop_token>
#include <utility>

namespace eddy::http {

task<> event_stream::begin() {
    const std::array<response_field, 2> fields = {response_field("Content-Type", "text/event-stream"),
                                                  response_field("Cache-Control", "no-store")};
    co_await requested_.begin_response(status::ok, fields);
    co_await requested_.flush();
}

task<> event_stream::send(const server_event& event) {
    text_.clear();
    event.append_to(text_);
    co_await send_text();
}

task<> event_stream::comment(std::string_view text) {
    text_.clear();
    append_event_comment(text_, text);
    co_await send_text();
}

task<> event_stream::send_text() {
    co_await requested_.write(as_bytes(text_));
    co_await requested_.flush();
}

namespace {

/// Shared by the task that awaits the generator and the one that sends. Dropping a wait for a generator's
/// value would end the generator, so a separate task waits for it, and the sending task waits for a signal.
struct handover {
    auto_reset_event has_news;  // a value, the end, or the server's draining
    auto_reset_event is_taken;
    std::optional<server_event> value;
    std::exception_ptr error;
    bool has_ended = false;
};

task<> ask(async_generator<server_event>& events, handover& shared) {
    try {
        for (;;) {
            std::optional<server_event> next = co_await events.next();
            if (!next)
                break;
            shared.value = std::move(next);
            shared.has_news.set();
            co_await shared.is_taken.wait();
        }
    } catch (...) {
        shared.error = std::current_exception();
    }
    shared.has_ended = true;
    shared.has_news.set();
}

class events_body final : public response_content {
public:
    events_body(async_generator<server_event> events, duration keep_alive) noexcept
        : events_(std::move(events)), keep_alive_(keep_alive) {}
    task<> respond(exchange& ex, status, response_fields) override {
        co_await send_events(ex, std::move(events_), keep_alive_);
    }

private:
    async_generator<server_event> events_;
    duration keep_alive_;
};

}  // namespace

task<> send_events(exchange& ex, async_generator<server_event> events, duration keep_alive) {
    event_stream out(ex);
    co_await out.begin();
    if (!ex.wants_body())
        co_return;
    handover shared;
    auto wake = [&shared] { shared.has_news.set(); };
    const std::stop_callback on_drain(ex.stop_token(), wake);
    const handle<> asking = spawn(ask(events, shared), "events");
    while (!out.is_ending()) {
        const auto news = co_await as_result(with_timeout(shared.has_news.wait(), keep_alive));
        if (shared.value) {
            const server_event event = std::move(*std::exchange(shared.value, std::nullopt));
            co_await out.send(event);
            shared.is_taken.set();
        } else if (shared.error) {
            std::rethrow_exception(shared.error);
        } else if (shared.has_ended) {
            co_return;
        } else if (!news) {
            co_await out.comment();
        }
    }
}

response event_response(async_generator<server_event> events, duration keep_alive) {
    return response::of(std::make_unique<events_body>(std::move(events), keep_alive));
}

}  // namespace eddy::http
