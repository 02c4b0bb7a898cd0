#include <eddy/core/frame_cache.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <utility>

namespace eddy {

namespace {

// Counting takes a look at every size class.
constexpr std::uint64_t turns_between_frame_counts = 64;

}  // namespace

constinit thread_local worker* worker::current_ = nullptr;

worker::worker(runtime& owner, std::size_t index, std::unique_ptr<io::backend> carrier,
               std::size_t turn_budget, std::unique_ptr<detail::resume_observer> order)
    : owner_(owner),
      index_(index),
      turn_budget_(turn_budget),
      backend_(std::move(carrier)),
      order_(std::move(order)),
      timers_(backend_->now()) {
    loop_.observe(order_.get());
}

time_point worker::turn_time() noexcept {
    if (turn_time_ == time_point{})
        turn_time_ = backend_->now();
    return turn_time_;
}

// A worker outlives what other workers of its runtime do. Other threads are counted, since all that they wait
// for, and so the end of the runtime, may come about as soon as the message is in.
bool worker::enqueue(detail::inbox_item& sent) noexcept {
    if (!is_called_from_outside())
        return inbox_.post(sent);
    callers_outside_.fetch_add(1, std::memory_order_relaxed);
    const bool is_asleep = inbox_.post(sent);
    if (!is_asleep)
        callers_outside_.fetch_sub(1, std::memory_order_release);
    return is_asleep;
}

void worker::wake() noexcept {
    if (!is_called_from_outside())
        return backend_->wake_from(*current_->backend_);
    backend_->wake();
    callers_outside_.fetch_sub(1, std::memory_order_release);
}

bool worker::take_inbox(bool is_discarded) noexcept {
    if (!inbox_.has_fetched())
        inbox_.fetch();
    const bool any = inbox_.has_fetched();
    // A message may lead to a nested call (a shielded section that ends first), which takes what is left, or
    // to the retraction of another one.
    while (inbox_.has_fetched()) {
        detail::inbox_item& item = inbox_.pop();
        ++messages_;
        item.run(item, is_discarded);
    }
    return any;
}

std::optional<duration> worker::idle_time() noexcept {
    const auto due = timers_.next_due();
    if (!due)
        return std::nullopt;
    return std::max(*due - backend_->now(), duration::zero());
}

void worker::run_ready() {
    ++turns_;
    loop_.work().work();
    resumptions_.add(loop_.run(turn_budget_));
    loop_.work().next();
    take_inbox(false);
    loop_.work().rest();
}

void worker::serve_backend(bool may_wait) {
    std::optional<duration> wait = duration::zero();
    if (may_wait && !loop_.has_ready() && !inbox_.has_fetched() && inbox_.try_sleep())
        wait = idle_time();
    enter_backend(wait);
    loop_.work().rest();
    if (turns_.value() % turns_between_frame_counts == 0)
        live_frames_.store(detail::frame_cache::live_blocks(), std::memory_order_relaxed);
}

void worker::enter_backend(std::optional<duration> wait) {
    loop_.work().rest();
    backend_->turn(wait);
    loop_.work().work();
    turn_time_ = {};
    take_inbox(false);
    if (timers_.next_due())
        timers_fired_.add(timers_.advance(turn_time()));
}

void worker::wait_for_events() noexcept {
    enter_backend(!inbox_.has_fetched() && inbox_.try_sleep() ? idle_time() : duration::zero());
}

void worker::shut_down() noexcept {
    take_inbox(false);
    loop_.drop_detached();
    backend_->drain();
    detail::frame_cache::trim();
}

void worker::close_backend() noexcept {
    for (unsigned looks = 0; callers_outside_.load(std::memory_order_acquire) != 0; ++looks)
        detail::relax(looks);
    final_backend_metrics_ = backend_->metrics();
    backend_.reset();
}

bool worker::discard_inbox() noexcept {
    return take_inbox(true);
}

std::size_t worker::count_messages() const noexcept {
    return inbox_.count();
}

worker_metrics worker::metrics() const noexcept {
    return {
        turns_.value(),
        resumptions_.value(),
        timers_fired_.value(),
        messages_.value(),
        connections_.value(),
        current_ == this ? detail::frame_cache::live_blocks() : live_frames_.load(std::memory_order_relaxed),
        backend_ != nullptr ? backend_->metrics() : final_backend_metrics_};
}

}  // namespace eddy
