#pragma once

#include "explore/explorer.hpp"

#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/loop_host.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/runtime/detail/inbox.hpp>

#include <cstddef>
#include <utility>

namespace eddy::explore {

/// A worker as far as its tasks can tell: a ready queue and an inbox, and turns as those of eddy::worker. For
/// the system stands one flag: a worker that sleeps waits until it is woken, so that a wake-up that is lost,
/// or comes without a sleep, is found.
class model_worker final : public detail::loop_host {
public:
    model_worker() = default;
    model_worker(const model_worker&) = delete;
    model_worker& operator=(const model_worker&) = delete;

    /// Makes the calling model thread this worker's, with `main` as its first task, and turns until that has
    /// ended.
    void run(task<> main) {
        const enter_guard here(*this);
        handle<> running = spawn(std::move(main), "main");
        turn_until([&] { return running.done(); });
        running.get();
    }

    /// Turns until `is_done()`. Requires: presence.
    template <class Predicate>
    void turn_until(Predicate is_done) {
        while (!is_done()) {
            loop_.run(turn_budget);
            begin_turn();
            take_inbox(false);
            serve(!is_done());
        }
    }

    /// Awaited by a task of this worker, one at a time: lets it go on in the next turn, before all that the
    /// messages taken until then have made ready. What yield() comes before has been sent at the most; this
    /// comes between its being received and its going on.
    class next_turn {
    public:
        explicit next_turn(model_worker& here) noexcept : here_(here) {}
        next_turn(const next_turn&) = delete;
        next_turn& operator=(const next_turn&) = delete;
        ~next_turn() { here_.first_in_turn_ = nullptr; }

        bool await_ready() const noexcept { return false; }
        void await_suspend(detail::suspension point) noexcept {
            here_.first_in_turn_ = &here_.loop_.suspend(point);
        }
        void await_resume() const noexcept {}

    private:
        model_worker& here_;
    };

    class enter_guard {
    public:
        explicit enter_guard(model_worker& here) noexcept
            : here_(here), before_(detail::resume_loop::enter(&here.loop_)) {}
        enter_guard(const enter_guard&) = delete;
        enter_guard& operator=(const enter_guard&) = delete;
        ~enter_guard() {
            here_.take_inbox(false);
            here_.loop_.drop_detached();
            detail::resume_loop::enter(before_);
        }

    private:
        model_worker& here_;
        detail::resume_loop* before_;
    };

    /// Once no thread posts any more: frees what was not received.
    void discard_inbox() noexcept { take_inbox(true); }

    bool enqueue(detail::inbox_item& sent) noexcept override { return inbox_.post(sent); }
    void wake() noexcept override {
        EXPLORE_CHECK(!is_woken_.exchange(true));  // one wake-up ends a sleep
    }
    void retract(detail::inbox_item& sent) noexcept override { inbox_.retract(sent); }
    void wait_for_events() noexcept override {
        if (!inbox_.has_fetched() && inbox_.try_sleep())
            sleep();
        take_inbox(false);
    }

    [[nodiscard]] detail::resume_loop& loop() noexcept { return loop_; }

private:
    static constexpr std::size_t turn_budget = 64;

    void begin_turn() noexcept {
        if (detail::job* const first = std::exchange(first_in_turn_, nullptr))
            loop_.make_ready(*first);
    }
    void serve(bool may_wait) noexcept {
        if (may_wait && !loop_.has_ready() && !inbox_.has_fetched() && inbox_.try_sleep())
            sleep();
        take_inbox(false);
    }
    void sleep() noexcept {
        forget_reads();
        for (unsigned looks = 0; !is_woken_.load(); ++looks)
            detail::relax(looks);
        is_woken_.store(false);
    }
    void take_inbox(bool is_discarded) noexcept {
        if (!inbox_.has_fetched())
            inbox_.fetch();
        while (inbox_.has_fetched()) {
            detail::inbox_item& item = inbox_.pop();
            item.run(item, is_discarded);
        }
    }

    detail::resume_loop loop_{this};
    detail::inbox inbox_;
    detail::job* first_in_turn_ = nullptr;
    detail::atomic<bool> is_woken_{false};
};

}  // namespace eddy::explore
