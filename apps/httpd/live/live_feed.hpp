#pragma once

#include "httpd/live/live_counters.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/watch.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace eddy::apps {

/// The messages to the live page, as JSON: the newest sample, and those of the last two minutes.
struct live_news {
    using text = std::shared_ptr<const std::string>;
    text newest;
    std::vector<text> recent;  ///< oldest first, the newest among them

    /// All recent ones as one message.
    [[nodiscard]] std::string history() const;
};

/// Gathers what all workers count, twice a second, and sends it to the subscribers.
///
/// Thread safety: run() belongs to one worker; each worker contributes for itself; subscribe()
/// may be called on any.
class live_feed {
public:
    using news_pointer = std::shared_ptr<const live_news>;
    /// What a worker has done since the last call; called on that worker.
    using source = std::function<live_share()>;

    explicit live_feed(const runtime& served);

    /// Where a worker's share comes from, while it lives. Requires: made and destroyed on that worker.
    class contribution {
    public:
        contribution(live_feed& feed, std::size_t worker, source from)
            : sources_(feed.sources_), worker_(worker) {
            (*sources_)[worker_] = std::move(from);
        }
        contribution(const contribution&) = delete;
        contribution& operator=(const contribution&) = delete;
        ~contribution() { (*sources_)[worker_] = {}; }

    private:
        std::shared_ptr<std::vector<source>> sources_;
        std::size_t worker_;
    };

    /// Runs until it is dropped.
    [[nodiscard]] task<> run();

    [[nodiscard]] watch_receiver<news_pointer> subscribe() const noexcept { return news_.subscribe(); }

private:
    [[nodiscard]] task<std::string> take_sample(duration since_last);
    void tell(std::string sample);

    // Shared with the calls on other workers, which may outlive this.
    std::shared_ptr<std::vector<source>> sources_;
    time_point began_at_;
    std::uint64_t requests_ = 0;
    watch<news_pointer> news_{std::make_shared<const live_news>()};
};

}  // namespace eddy::apps
