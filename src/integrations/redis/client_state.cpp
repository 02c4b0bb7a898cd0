#include "integrations/redis/client_state.hpp"

#include "integrations/redis/connect_failure.hpp"

#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace eddy::redis::detail {

client_state::client_state(options wanted)
    : settings(std::move(wanted)),
      pauses_(settings.pause_first(), settings.pause_max(), 2),
      places_(std::clamp<std::uint64_t>(settings.dedicated_connections_max(), 1, semaphore::permits_max)) {}

void client_state::tell(connection_event::kind what, const std::exception_ptr& why, duration pause) const {
    if (settings.on_event())
        settings.on_event()(connection_event(what, why ? reason_of(why) : std::string(), pause));
}

void client_state::note_loss() {
    if (shared_ == nullptr)
        return;
    tell(connection_event::kind::lost, shared_->failure(), duration::zero());
    shared_ = nullptr;
}

task<> client_state::attempt() {
    note_loss();
    std::exception_ptr failure;
    try {
        connection made = co_await connection::open(settings);
        shared_ = std::make_shared<connection>(std::move(made));
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure == nullptr) {
        pauses_.reset();
        tell(connection_event::kind::connected, nullptr, duration::zero());
        co_return;
    }
    last_failure_ = failure;
    const duration pause = pauses_.next();
    paused_until_ = eddy::detail::deadline_after(worker::current().now(), pause);
    tell(connection_event::kind::refused, failure, pause);
}

task<std::shared_ptr<connection>> client_state::connect() {
    const time_point give_up = eddy::detail::deadline_after(worker::current().now(), settings.patience());
    for (;;) {
        {
            const mutex_guard alone = co_await connecting_.lock();
            if (auto made = connected())
                co_return made;
            if (worker::current().now() >= paused_until_)
                co_await attempt();
            if (auto made = connected())
                co_return made;
        }
        if (paused_until_ >= give_up || !may_pass(last_failure_))
            std::rethrow_exception(last_failure_);
        co_await sleep_until(paused_until_);
    }
}

task<std::unique_ptr<connection>> client_state::lend() {
    semaphore_permit place = co_await places_.acquire();
    while (!idle_.empty()) {
        std::unique_ptr<connection> last = std::move(idle_.back());
        idle_.pop_back();
        if (last->is_open()) {
            static_cast<void>(place.release());
            co_return last;
        }
    }
    // An automatic PING among the user's commands would disturb MULTI, and a blocking command is silent.
    options quiet = settings;
    quiet.health_interval(duration::max()).health_timeout(duration::max());
    connection made = co_await connection::open(quiet);
    auto lent = std::make_unique<connection>(std::move(made));
    static_cast<void>(place.release());
    co_return lent;
}

void client_state::keep(std::unique_ptr<connection> idle) noexcept {
    try {
        if (idle->is_open() && idle->replies_awaited() == 0)
            idle_.push_back(std::move(idle));
    } catch (const std::bad_alloc&) {
        // It is closed then.
    }
}

}  // namespace eddy::redis::detail
