#include <eddy/runtime/detail/clock_watch.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/worker.hpp>

#include <limits>
#include <utility>

namespace eddy::detail {

void clock_waiter::leave() noexcept {
    if (watch_ != nullptr)
        std::exchange(watch_, nullptr)->remove(*this);
}

// The timers' clock and the other one are not read at the same instant, and the other one may have jumped
// back since: so it is read again.
void clock_waiter::alarm::fire(timer& fired) noexcept {
    clock_waiter& self = static_cast<alarm&>(fired).owner;
    if (self.watch_->read(self.which_) < self.time_ns_)
        return self.watch_->arm(self);
    self.leave();
    self.ended_(self, 0);
}

int clock_watch::add(clock_waiter& added) noexcept {
    if (waiting_.empty())
        if (const int result = begin(); result < 0)
            return result;
    added.watch_ = this;
    waiting_.push_back(added);
    arm(added);
    return 0;
}

void clock_watch::remove(clock_waiter& gone) noexcept {
    gone.unlink();
    gone.alarm_.disarm();
    if (waiting_.empty())
        end();
}

// Changes are watched before a clock is read, so none falls in between.
int clock_watch::begin() noexcept {
    io::backend& backend = home_.backend();
    const int opened = backend.system().clocks->open_clock_changes();
    if (opened < 0)
        return opened;
    changed_.descriptor = opened;
    if (const int result = backend.system().clocks->renew_clock_changes(opened); result < 0) {
        backend.close(opened);
        return result;
    }
    backend.submit(changed_);
    return 0;
}

void clock_watch::end() noexcept {
    if (!changed_.is_idle())
        home_.backend().withdraw(changed_);
    home_.backend().close(std::exchange(changed_.descriptor, -1));
}

void clock_watch::change::come(io::operation& ended, const io::completion& outcome) noexcept {
    clock_watch& self = static_cast<change&>(ended).owner;
    if (outcome.result >= 0)
        self.follow();
    else
        self.fail(outcome.result);
}

void clock_watch::follow() noexcept {
    io::backend& backend = home_.backend();
    static_cast<void>(
        backend.system().clocks->renew_clock_changes(changed_.descriptor));  // as in begin(), where it worked
    waiting_.for_each([this](clock_waiter& each) {
        each.alarm_.disarm();
        arm(each);
    });
    backend.submit(changed_);
}

void clock_watch::fail(int result) noexcept {
    while (!waiting_.empty()) {
        clock_waiter& failed = waiting_.front();
        failed.leave();
        failed.ended_(failed, result);
    }
}

void clock_watch::arm(clock_waiter& armed) noexcept {
    const std::int64_t now_ns = read(armed.which_);
    const time_point now = home_.backend().system().clocks->now();
    if (armed.time_ns_ <= now_ns)
        return home_.timers().arm(armed.alarm_, now);
    // A wall clock may stand before its epoch.
    constexpr std::int64_t end_ns = std::numeric_limits<std::int64_t>::max();
    const bool is_endless = now_ns < 0 && armed.time_ns_ > end_ns + now_ns;
    const duration left(is_endless ? end_ns : armed.time_ns_ - now_ns);
    home_.timers().arm(armed.alarm_, deadline_after(now, left));
}

std::int64_t clock_watch::read(jumping_clock which) noexcept {
    io::backend& backend = home_.backend();
    return which == jumping_clock::wall ? backend.system().clocks->wall_clock_ns()
                                        : backend.system().clocks->boot_clock_ns();
}

}  // namespace eddy::detail
