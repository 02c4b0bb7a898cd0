#include "pool_state.hpp"

#include "session.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace eddy::pq::detail {

namespace {

time_point now() noexcept {
    return worker::current().now();
}

}  // namespace

task<pooled_connection> pool_state::acquire() {
    const std::shared_ptr<pool_state> self = shared_from_this();
    std::exception_ptr last_failure;
    try {
        co_return co_await with_timeout(acquire_in_time(last_failure), limits_.acquire_timeout());
    } catch (const error&) {
        throw;
    } catch (const std::system_error& late) {
        if (late.code() != std::errc::timed_out)
            throw;
        if (last_failure != nullptr)
            std::rethrow_exception(last_failure);
        throw error(errc::pool_timed_out, "all connections were in use");
    }
}

task<pooled_connection> pool_state::acquire_in_time(std::exception_ptr& last_failure) {
    require_open();  // also before the wait, which may be behind close()
    semaphore_permit permit = co_await permits_.acquire();
    require_open();
    std::optional<idle_connection> kept = co_await take_idle();
    if (kept)
        co_return pooled_connection(shared_from_this(), std::move(permit), std::move(kept->held),
                                    kept->made_at);
    connection made = co_await connect(last_failure);
    co_return pooled_connection(shared_from_this(), std::move(permit), std::move(made), now());
}

void pool_state::require_open() const {
    if (is_closed_)
        throw error(errc::pool_closed, "acquire");
}

/// The one that was used last, so that those that are not needed grow old.
task<std::optional<pool_state::idle_connection>> pool_state::take_idle() {
    while (!idle_.empty()) {
        std::optional<idle_connection> kept(std::move(idle_.back()));
        idle_.pop_back();
        if (now() - kept->made_at > limits_.age_max() || !kept->held.is_alive())
            continue;
        const bool well = co_await is_well(kept->held, kept->since);
        if (well)
            co_return kept;
    }
    co_return std::nullopt;
}

task<bool> pool_state::is_well(connection& requested, time_point since) {
    if (now() - since < limits_.check_after_idle())
        co_return true;
    const auto answered =
        co_await as_result(with_timeout(requested.query("select 1"), limits_.check_timeout()));
    co_return answered.has_value();
}

task<connection> pool_state::connect(std::exception_ptr& last_failure) {
    // A delay of nothing would stay nothing for ever.
    const duration first = std::max(limits_.reconnect_delay_first(), duration(1));
    const duration longest = std::max(limits_.reconnect_delay_max(), first);
    for (duration delay = first;; delay = delay > longest / 2 ? longest : 2 * delay) {
        std::optional<connection> made;
        try {
            made = co_await connection::connect(connect_to_);
        } catch (const error& failed) {
            if (failed.code() == errc::invalid_argument)
                throw;
            last_failure = std::current_exception();
        }
        if (made)
            co_return std::move(*made);
        co_await sleep_for(delay);
        require_open();
    }
}

void pool_state::give_back(connection used, time_point made_at, semaphore_permit permit) noexcept {
    if (!used.is_open() || is_closed_)
        return;
    session& on = *used.session_;
    if (!on.is_idle() || on.is_in_transaction()) {
        on.recover_later(true);
        try {
            spawn(bring_back(shared_from_this(), std::move(used), made_at, std::move(permit)),
                  "a connection that goes back to its pool")
                .detach();
        } catch (const std::bad_alloc&) {  // then it is closed
        }
        return;
    }
    try {
        keep(std::move(used), made_at);
    } catch (const std::bad_alloc&) {  // as above
    }
}

task<> pool_state::bring_back(std::shared_ptr<pool_state> self, connection used, time_point made_at,
                              semaphore_permit permit) {
    co_await used.session_->settle();
    if (!used.is_open() || self->is_closed_)
        co_return;
    try {
        self->keep(std::move(used), made_at);
    } catch (const std::bad_alloc&) {  // then it is closed
    }
    permit.give_back();
}

void pool_state::keep(connection used, time_point made_at) {
    idle_.emplace_back(std::move(used), made_at, now());
    if (!sweeper_ || sweeper_.done())
        sweeper_ = spawn(sweep(), "a pool's sweeper");
}

void pool_state::close_old() {
    const time_point at = now();
    std::erase_if(idle_, [&](const idle_connection& kept) {
        return at - kept.since > limits_.idle_max() || at - kept.made_at > limits_.age_max();
    });
}

/// Runs as long as a connection is idle.
task<> pool_state::sweep() {
    while (!idle_.empty()) {
        co_await sleep_for(std::min(limits_.idle_max(), limits_.age_max()) / 2);
        close_old();
    }
}

void pool_state::stop() noexcept {
    is_closed_ = true;
    idle_.clear();
    sweeper_.cancel();
}

task<> pool_state::close() {
    const std::shared_ptr<pool_state> self = shared_from_this();
    stop();
    // Waiting tasks get their permits first, and find the pool closed.
    const semaphore_permit all = co_await permits_.acquire(size_max());
}

}  // namespace eddy::pq::detail
