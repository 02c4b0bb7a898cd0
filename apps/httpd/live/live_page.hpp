#pragma once

#include "httpd/live/live_feed.hpp"

#include <eddy/core/prompt_task.hpp>
#include <eddy/http/exchange.hpp>
#include <eddy/http/request_handler.hpp>

namespace eddy::apps {

/// The page that draws what the server does, and below it, at `feed`, the WebSocket that tells it. Below any
/// path; another site's pages may not read the feed.
class live_page final : public http::request_handler {
public:
    /// Refers to the feed.
    explicit live_page(const live_feed& feed) noexcept : feed_(feed) {}

    [[nodiscard]] prompt_task<> handle(http::exchange& asked) override;

private:
    [[nodiscard]] task<> serve_feed(http::exchange& asked);

    const live_feed& feed_;
};

}  // namespace eddy::apps
