#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/runtime/clock_sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <chrono>

namespace eddy {

namespace {

using std::chrono::nanoseconds;

// The system's clock may count longer units, as libc++'s does, and reach further.
nanoseconds nanoseconds_of(std::chrono::system_clock::duration since_epoch) noexcept {
    using wall = std::chrono::system_clock::duration;
    if (since_epoch >= std::chrono::duration_cast<wall>(nanoseconds::max()))
        return nanoseconds::max();
    if (since_epoch <= std::chrono::duration_cast<wall>(nanoseconds::min()))
        return nanoseconds::min();
    return since_epoch;
}

}  // namespace

boot_clock::time_point boot_clock::now() noexcept {
    return time_point(duration(detail::worker_core::current().backend().system().clocks->boot_clock_ns()));
}

void clock_sleep_awaiter::await_suspend(detail::suspension point) noexcept {
    detail::worker_core& here = detail::worker_core::current();
    waiting_.sleeping = &here.loop().suspend(point);
    if (const int result = here.clocks().add(waiting_); result < 0)
        waiter::wake(waiting_, result);
}

std::expected<void, std::error_code> clock_sleep_awaiter::outcome() const noexcept {
    if (waiting_.error)
        return std::unexpected(waiting_.error);
    return {};
}

void clock_sleep_awaiter::interrupt() noexcept {
    waiting_.leave();
    waiting_.error = std::make_error_code(std::errc::operation_canceled);
}

void clock_sleep_awaiter::waiter::wake(detail::clock_waiter& ended, int result) noexcept {
    auto& self = static_cast<waiter&>(ended);
    if (result < 0)
        self.error = io::error_of(result);
    self.sleeping->loop().make_ready(*self.sleeping);
}

clock_sleep_awaiter sleep_until(std::chrono::system_clock::time_point time) noexcept {
    return {detail::jumping_clock::wall, nanoseconds_of(time.time_since_epoch()).count()};
}

clock_sleep_awaiter sleep_until(boot_clock::time_point time) noexcept {
    return {detail::jumping_clock::boot, time.time_since_epoch().count()};
}

}  // namespace eddy
