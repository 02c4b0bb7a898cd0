#include "backend/epoll/epoll_set.hpp"

#include "backend/posix/raw_syscalls.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <system_error>
#include <time.h>
#include <unistd.h>

namespace eddy::backends {

namespace {

[[noreturn]] void throw_errno(const char* what) {
    throw std::system_error(errno, std::system_category(), what);
}

// Rounded up, so that a wait is never early.
int to_milliseconds(std::optional<duration> wait) noexcept {
    if (!wait)
        return -1;
    const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(*wait).count();
    return static_cast<int>(std::clamp<std::int64_t>(rounded, 0, std::numeric_limits<int>::max()));
}

// What Linux may add to a short wait of this thread, so as to end it together with others (prctl(2)).
duration slack_of_this_thread() noexcept {
    return duration(std::max(::prctl(PR_GET_TIMERSLACK), 0));
}

// Linux lets a wait take a thousandth longer than requested, for a thread with a positive nice value a
// two-hundredth, and 100 ms at the most; but at least `least` longer. It mostly does take all of that, so the
// requested wait is shortened by as much.
duration without_slack(duration wait, duration least) noexcept {
    using namespace std::chrono_literals;
    const duration slack = wait > 10ms ? std::min<duration>(wait / 200, 100ms) : least;
    return std::max<duration>(wait - slack, 1ns);
}

}  // namespace

epoll_set::epoll_set() : epoll_(::epoll_create1(EPOLL_CLOEXEC)), event_(-1), slack_(slack_of_this_thread()) {
    if (epoll_ < 0)
        throw_errno("epoll_create1");
    event_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    event.data.u64 = wake_token;
    if (event_ < 0 || ::epoll_ctl(epoll_, EPOLL_CTL_ADD, event_, &event) != 0) {
        const int error = errno;
        if (event_ >= 0)
            ::close(event_);
        ::close(epoll_);
        errno = error;
        throw_errno("eventfd");
    }
    // Linux 5.11; filters that do not know it answer with EPERM.
    constexpr timespec no_time{};
    has_nanoseconds_ = raw::epoll_pwait2(epoll_, events_.data(), events_max, &no_time, nullptr) >= 0;
}

epoll_set::~epoll_set() {
    ::close(event_);
    ::close(epoll_);
}

int epoll_set::watch(int descriptor, std::uint64_t token, std::uint32_t directions,
                     bool may_be_known) noexcept {
    epoll_event event{};
    event.events = directions | EPOLLET;
    event.data.u64 = token;
    // Known already under another token: changing that also reports the readiness there is.
    const int first = may_be_known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (::epoll_ctl(epoll_, first, descriptor, &event) == 0)
        return 0;
    const int other = first == EPOLL_CTL_ADD ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if ((errno == EEXIST || errno == ENOENT) && ::epoll_ctl(epoll_, other, descriptor, &event) == 0)
        return 0;
    return -errno;
}

void epoll_set::unwatch(int descriptor) noexcept {
    epoll_event event{};
    ::epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, &event);
}

std::span<epoll_event> epoll_set::wait(std::optional<duration> wait) noexcept {
    if (wait && *wait <= duration::zero()) {
        if (is_polled_outside_)
            sleep_.exchange(sleep::waiting, std::memory_order_acq_rel);
        return {events_.data(), static_cast<std::size_t>(std::max(wait_in_kernel(duration::zero()), 0))};
    }
    auto expected = sleep::awake;
    if (!sleep_.compare_exchange_strong(expected, sleep::waiting, std::memory_order_acq_rel))
        wait = duration::zero();
    const int count = wait && *wait > duration::zero() ? wait_at_most(*wait) : wait_in_kernel(wait);
    sleep_.exchange(sleep::awake, std::memory_order_acq_rel);
    return {events_.data(), static_cast<std::size_t>(std::max(count, 0))};
}

int epoll_set::wait_at_most(duration wait) noexcept {
    // A worker that waits for so long looks at the clock afterwards, and waits for the rest.
    constexpr duration long_wait = std::chrono::seconds(1);
    if (!has_nanoseconds_)
        return wait_in_kernel(wait);
    if (wait >= long_wait)
        return wait_in_kernel(without_slack(wait, slack_));
    const time_point begun = clock::now();  // the end may be later than any time there is
    int count = wait_in_kernel(without_slack(wait, slack_));
    // What has taken less than all of its slack, as for threads of the real-time classes, is early.
    while (count == 0) {
        const duration rest = wait - (clock::now() - begun);
        if (rest <= duration::zero())
            break;
        count = wait_in_kernel(rest > slack_ ? without_slack(rest, slack_) : rest);
    }
    return count;
}

int epoll_set::wait_in_kernel(std::optional<duration> wait) noexcept {
    if (!has_nanoseconds_ || (wait && *wait == duration::zero()))
        return raw::epoll_pwait(epoll_, events_.data(), events_max, to_milliseconds(wait), nullptr);
    timespec timeout{};
    if (wait) {
        const auto seconds = std::chrono::floor<std::chrono::seconds>(*wait);
        timeout.tv_sec = seconds.count();
        timeout.tv_nsec = (*wait - seconds).count();
    }
    return raw::epoll_pwait2(epoll_, events_.data(), events_max, wait ? &timeout : nullptr, nullptr);
}

void epoll_set::wake() noexcept {
    if (sleep_.exchange(sleep::notified, std::memory_order_acq_rel) != sleep::waiting)
        return;
    // Every write is an edge of its own, so that the counter need not be read. It cannot overflow in a
    // lifetime.
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(event_, &one, sizeof(one));
}

}  // namespace eddy::backends
