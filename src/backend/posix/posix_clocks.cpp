#include "backend/posix/posix_clocks.hpp"

#include "backend/posix/system_call.hpp"

#include <cerrno>
#include <limits>
#include <sys/timerfd.h>
#include <time.h>

namespace eddy::backends {

namespace {

std::int64_t read_clock(clockid_t which) noexcept {
    timespec now{};
    ::clock_gettime(which, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

int set_timer(int descriptor, int flags, const timespec& at) noexcept {
    const itimerspec once{{0, 0}, at};
    return ::timerfd_settime(descriptor, flags, &once, nullptr) == 0 ? 0 : -errno;
}

}  // namespace

std::int64_t posix_clocks::wall_clock_ns() const noexcept {
    return read_clock(CLOCK_REALTIME) + wall_shift_ns_;
}

std::int64_t posix_clocks::boot_clock_ns() const noexcept {
    return read_clock(CLOCK_BOOTTIME) + boot_shift_ns_;
}

int posix_clocks::open_clock_changes() noexcept {
    const int opened = how_.after_closing(
        [] { return checked(::timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK)); });
    if (opened >= 0)
        clock_changes_ = opened;
    return opened;
}

// A timer that never expires, and whose only purpose is to be cancelled: the system does so whenever the wall
// clock jumps, as it does at the end of a suspension.
int posix_clocks::renew_clock_changes(int descriptor) noexcept {
    constexpr timespec never{std::numeric_limits<time_t>::max(), 0};
    return set_timer(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, never);
}

void posix_clocks::shift_clocks(duration wall, duration boot) noexcept {
    wall_shift_ns_ += wall.count();
    boot_shift_ns_ += boot.count();
    if (clock_changes_ >= 0)
        set_timer(clock_changes_, TFD_TIMER_ABSTIME, timespec{0, 1});
}

}  // namespace eddy::backends
