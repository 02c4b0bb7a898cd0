#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/ticker.hpp>
#include <eddy/runtime/worker.hpp>

namespace eddy {

ticker::ticker(duration period, ticker_options options) noexcept
    : period_(period), number_(options.at_once() ? 0 : 1), missed_(options.missed()) {
    EDDY_CHECK(period > duration::zero(), "the period of a ticker is above zero");
    const time_point now = worker::current().now();
    due_ = options.at_once() ? now : detail::deadline_after(now, period);
}

ticker::ticker(ticker&& other) noexcept
    : period_(other.period_),
      due_(other.due_),
      number_(other.number_),
      missed_(other.missed_),
      is_stopped_(other.is_stopped_) {
    other.assert_nobody_waits();
}

ticker& ticker::operator=(ticker&& other) noexcept {
    assert_nobody_waits();
    other.assert_nobody_waits();
    period_ = other.period_;
    due_ = other.due_;
    number_ = other.number_;
    missed_ = other.missed_;
    is_stopped_ = other.is_stopped_;
    return *this;
}

void ticker::stop() noexcept {
    is_stopped_ = true;
    if (waiting_ != nullptr && waiting_->is_pending())
        waiting_->wake();
}

tick ticker::take(time_point now) noexcept {
    if (missed_ == missed_ticks::skip && now > due_) {
        const auto passed = (now - due_) / period_;
        due_ += passed * period_;
        number_ += static_cast<std::uint64_t>(passed);
    }
    const tick taken(number_, due_);
    const time_point following = detail::deadline_after(due_, period_);
    const bool is_missed = now >= following;
    due_ = is_missed && missed_ == missed_ticks::delay ? detail::deadline_after(now, period_) : following;
    ++number_;
    return taken;
}

void ticker::next_awaiter::await_suspend(detail::suspension point) noexcept {
    EDDY_CHECK(ticker_.waiting_ == nullptr, "one task at a time waits for a ticker");
    detail::worker_core& here = detail::worker_core::current();
    waiter_ = &here.loop().suspend(point);
    ticker_.waiting_ = this;
    is_pending_ = true;
    if (ticker_.due_ <= here.turn_time()) {
        waiter_->promise(detail::job::place::behind_all);
        wake();
    } else {
        here.timers().arm(timer_, ticker_.due_);
    }
}

std::expected<std::optional<tick>, std::error_code> ticker::next_awaiter::outcome() noexcept {
    if (is_interrupted_)
        return std::unexpected(std::make_error_code(std::errc::operation_canceled));
    forget();
    if (ticker_.is_stopped_)
        return std::nullopt;
    return ticker_.take(worker::current().turn_time());
}

void ticker::next_awaiter::wake() noexcept {
    timer_.disarm();
    is_pending_ = false;
    waiter_->loop().make_ready(*waiter_);
}

void ticker::next_awaiter::forget() noexcept {
    timer_.disarm();
    is_pending_ = false;
    if (waiter_ != nullptr && ticker_.waiting_ == this)
        ticker_.waiting_ = nullptr;
}

}  // namespace eddy
