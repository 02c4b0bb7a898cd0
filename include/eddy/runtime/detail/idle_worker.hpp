#pragma once

#include <eddy/core/detail/inbox_item.hpp>
#include <eddy/runtime/detail/idle_workers.hpp>

#include <cstddef>
#include <utility>

namespace eddy::detail {

/// One worker's part in idle_workers: how it falls asleep and wakes up. It is the message that calls the worker,
/// too.
///
/// Thread safety: belongs to its worker; others post it, once they have chosen the worker.
class idle_worker : public inbox_item {
public:
    idle_worker() noexcept : inbox_item(&receive) {}

    /// `stop_searching()` ends the worker's search for shared functions; `is_needed()` returns whether some wait
    /// that it could attend to. Returns whether it may sleep. In either case it wakes up next, by wake_up() where
    /// it is listed.
    template <class StopSearching, class IsNeeded>
    [[nodiscard]] bool fall_asleep(idle_workers& all, std::size_t index, StopSearching stop_searching,
                                   IsNeeded is_needed) noexcept {
        stop_searching();
        is_listed_ = all.workers() > 1 && !is_call_under_way_;
        if (is_listed_)
            all.add(index);
        return !is_needed();
    }
    [[nodiscard]] bool is_listed() const noexcept { return is_listed_; }
    /// Whether it watches the others while it sleeps. Requires: is_listed().
    [[nodiscard]] bool try_watch(idle_workers& all) noexcept {
        is_watching_ = all.is_any_searching() && all.begin_watch();
        return is_watching_;
    }
    /// Requires: is_listed().
    void wake_up(idle_workers& all, std::size_t index) noexcept {
        is_listed_ = false;
        is_relied_on_ = std::exchange(is_watching_, false);
        if (is_relied_on_) [[unlikely]]
            all.end_watch();
        is_call_under_way_ = all.remove(index);
        is_relied_on_ |= is_call_under_way_;
    }

    /// Whether it has watched, or was called: others have left it to this worker to look.
    [[nodiscard]] bool is_relied_on() const noexcept { return is_relied_on_; }
    /// The same, and the worker leaves it to the next.
    [[nodiscard]] bool end_reliance() noexcept { return std::exchange(is_relied_on_, false); }

    /// The call has come.
    void note_called() noexcept { is_call_under_way_ = false; }

private:
    static void receive(inbox_item& item, bool) noexcept { static_cast<idle_worker&>(item).note_called(); }

    bool is_listed_ = false;
    bool is_watching_ = false;
    bool is_relied_on_ = false;
    bool is_call_under_way_ = false;  // known to be, and not received yet
};

}  // namespace eddy::detail
