#pragma once

#include "httpd/live/live_feed.hpp"

#include <eddy/core/ready_or_task.hpp>
#include <eddy/http/server/exchange.hpp>

namespace eddy::apps {

/// The page that draws what the server does, and below it, at `feed`, the WebSocket with the data. Below any
/// path; another site's pages may not read the feed.
class live_page final : public http::request_handler {
public:
    /// Refers to the feed.
    explicit live_page(const live_feed& feed) noexcept : feed_(feed) {}

    [[nodiscard]] ready_or_task<> handle(http::exchange& ex) override;

private:
    [[nodiscard]] task<> serve_feed(http::exchange& ex);

    const live_feed& feed_;
};

}  // namespace eddy::apps
