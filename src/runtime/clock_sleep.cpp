#include <eddy/core/resume_loop.hpp>
#include <eddy/io/awaited_operation.hpp>
#include <eddy/runtime/boot_clock.hpp>
#include <eddy/runtime/clock_sleep.hpp>
#include <eddy/runtime/worker.hpp>

namespace eddy {

boot_clock::time_point boot_clock::now() noexcept {
    return time_point(duration(worker::current().carrier().boot_clock_ns()));
}

void clock_sleep_awaiter::await_suspend(detail::suspension point) noexcept {
    worker& here = worker::current();
    waiting_.sleeping = &here.loop().suspend(point);
    if (const int result = here.clocks().add(waiting_); result < 0) {
        error_ = io::error_of(result);
        here.loop().make_ready(*waiting_.sleeping);
    }
}

void clock_sleep_awaiter::await_resume() const {
    if (error_)
        throw std::system_error(error_, "sleep until the time of a clock");
}

std::expected<void, std::error_code> clock_sleep_awaiter::outcome() const noexcept {
    if (error_)
        return std::unexpected(error_);
    return {};
}

void clock_sleep_awaiter::interrupt() noexcept {
    waiting_.leave();
    error_ = std::make_error_code(std::errc::operation_canceled);
}

void clock_sleep_awaiter::waiter::wake(detail::clock_waiter& reached) noexcept {
    detail::job& sleeper = *static_cast<waiter&>(reached).sleeping;
    sleeper.loop().make_ready(sleeper);
}

clock_sleep_awaiter sleep_until(std::chrono::system_clock::time_point time) noexcept {
    using std::chrono::nanoseconds;
    return {detail::jumping_clock::wall, nanoseconds(time.time_since_epoch()).count()};
}

clock_sleep_awaiter sleep_until(boot_clock::time_point time) noexcept {
    return {detail::jumping_clock::boot, time.time_since_epoch().count()};
}

}  // namespace eddy
