#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/runtime/detail/worker_core.hpp>
#include <eddy/runtime/runtime.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace eddy::detail {

namespace {

// Counting frames takes a look at every size class, and what is spare one at the clock.
constexpr std::uint64_t turns_between_looks = 64;

// A worker that has something to spare sleeps until it is time to look at that, at the most.
[[gnu::cold, gnu::noinline]] std::optional<duration> idle_time_with_looks(detail::cache_trimmer& spare,
                                                                          std::optional<time_point> due,
                                                                          time_point now) noexcept {
    spare.look_if_due(now);
    if (detail::cache_trimmer::is_needed())
        due = std::min(due.value_or(time_point::max()), spare.next_look());
    if (!due)
        return std::nullopt;
    return std::max(*due - now, duration::zero());
}

}  // namespace

constinit thread_local worker_core* worker_core::current_ = nullptr;

worker_core::worker_core(runtime& owner, std::size_t index, std::unique_ptr<io::backend> backend,
                         std::size_t turn_budget, duration spin_max,
                         std::unique_ptr<detail::resume_observer> order)
    : owner_(owner),
      index_(index),
      turn_budget_(turn_budget),
      backend_(std::move(backend)),
      time_source_(backend_->system().clocks),
      order_(std::move(order)),
      timers_(now()),
      spin_(spin_max) {
    loop_.observe(order_.get());
    spare_.add(backend_->buffers());
}

time_point worker_core::turn_time() noexcept {
    if (turn_time_ == time_point{})
        turn_time_ = now();
    return turn_time_;
}

// A worker outlives what other workers of its runtime do. Other threads are counted, since all that they wait
// for, and so the end of the runtime, may come about as soon as the message is in.
bool worker_core::enqueue(detail::inbox_item& sent) noexcept {
    if (!is_called_from_outside())
        return inbox_.post(sent);
    callers_outside_.fetch_add(1, std::memory_order_relaxed);
    const bool is_asleep = inbox_.post(sent);
    if (!is_asleep)
        callers_outside_.fetch_sub(1, std::memory_order_release);
    return is_asleep;
}

void worker_core::wake() noexcept {
    if (!is_called_from_outside())
        return backend_->wake_from(*current_->backend_);
    backend_->wake();
    callers_outside_.fetch_sub(1, std::memory_order_release);
}

bool worker_core::take_inbox(bool is_discarded) noexcept {
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

bool worker_core::has_work() const noexcept {
    return loop_.has_ready() || !functions_.empty() || inbox_.has_fetched() || !share_.empty() ||
           (share_.is_searching() ? owner_.has_shared_functions() : owner_.needs_searcher());
}

std::optional<duration> worker_core::idle_time() noexcept {
    const bool has_started = start_timers();
    const auto due = timers_.next_due();
    if (detail::cache_trimmer::is_needed()) [[unlikely]]
        return idle_time_with_looks(spare_, due, now());
    if (!due)
        return std::nullopt;
    // A turn takes less than that, or else what it has run is to blame: no exact time is needed to sleep for less long.
    constexpr duration far = std::chrono::seconds(1);
    if (turn_time_ != time_point{} && *due - turn_time_ > 2 * far)
        return *due - turn_time_ - far;
    return std::max(*due - (has_started ? turn_time_ : now()), duration::zero());
}

// The time of the turn may have been read before they were armed.
bool worker_core::start_timers() noexcept {
    if (!timers_.has_unstarted())
        return false;
    turn_time_ = now();
    timers_.start(turn_time_);
    return true;
}

std::size_t worker_core::call_functions(std::size_t budget) noexcept {
    if (functions_.empty() && share_.empty() && (owner_.has_shared_functions() || share_.is_searching()))
        [[unlikely]]
        take_shared_functions();
    std::size_t called = 0;
    try {
        for (; called < budget && (!functions_.empty() || (!share_.empty() && share_.move_next(functions_)));
             ++called) {
            loop_.work().next();
            functions_.call_next();
        }
    } catch (...) {
        detail::uncaught_in_detached({"a posted function", {}}, std::current_exception());
    }
    return called;
}

void worker_core::take_shared_functions() noexcept {
    detail::idle_workers& idle_workers = owner_.sleeping_workers();
    if (!share_.is_searching()) {
        if (!idle_workers.try_start_searching())
            return;
        share_.try_start_searching();
    }
    const time_point now = this->now();
    note_throughput(now);
    taken_ = owner_.share_functions(taken_functions_, throughput_.share());
    taken_at_ = now;
    const std::size_t soon = throughput_.expected();
    if (const auto no_longer = share_.add(taken_functions_, taken_, soon)) {
        if (soon != *no_longer)
            idle_workers.expect(soon, *no_longer);
    } else if (taken_ != 0) {  // it was held just now
        idle_workers.keep_searching();
        share_.try_start_searching();
    }
    if (taken_ != 0)
        owner_.wake_one(idle_.end_reliance() || taken_ > 1);
}

void worker_core::leave_shared_functions() noexcept {
    if (share_.is_searching()) [[unlikely]]
        stop_searching();
}

void worker_core::stop_searching() noexcept {
    note_throughput(now());
    if (const auto no_longer = share_.stop_searching()) {
        owner_.sleeping_workers().expect(0, *no_longer);
        owner_.sleeping_workers().stop_searching();
    }
}

void worker_core::note_throughput(time_point now) noexcept {
    if (const std::size_t called = std::exchange(taken_, 0); called != 0)
        throughput_.note(called, now - taken_at_);
}

std::size_t worker_core::run_ready(std::size_t budget) {
    ++turns_;
    loop_.work().work();
    const std::size_t resumed = loop_.run(budget);
    resumptions_.add(resumed);
    // Most turns have none, and are spared the call.
    const bool has_functions =
        !functions_.empty() || !share_.empty() || owner_.has_shared_functions() || share_.is_searching();
    const std::size_t called = has_functions ? call_functions(budget) : 0;
    functions_called_.add(called);
    loop_.work().next();
    take_inbox(false);
    loop_.work().rest();
    return resumed + called;
}

std::size_t worker_core::poll(std::size_t budget) {
    std::size_t done = 0;
    do {
        done += run_ready(std::min(budget - done, turn_budget_));
        serve_backend(false);
    } while (done < budget && (has_work() || !inbox_.try_sleep()));
    return done;
}

bool worker_core::run_one() {
    loop_.work().work();
    take_inbox(false);
    bool has_run = true;
    if (const std::size_t resumed = loop_.run(1); resumed != 0)
        resumptions_.add(resumed);
    else if (const std::size_t called = call_functions(1); called != 0)
        functions_called_.add(called);
    else
        has_run = false;
    loop_.work().rest();
    return has_run;
}

bool worker_core::wait_for_work(std::optional<duration> wait) {
    if (const auto idle = fall_asleep(); idle && (!wait || *idle < *wait))
        wait = idle;
    enter_backend(wait);
    loop_.work().rest();
    return has_work();
}

void worker_core::take_sent_functions(detail::inbox_item& item, bool is_discarded) noexcept {
    worker_core& self = static_cast<remote_notice&>(item).owner;
    {
        const std::lock_guard lock(self.sent_lock_);
        self.functions_.splice_back(self.sent_functions_);
    }
    if (is_discarded)
        self.functions_.clear();
}

void worker_core::unpark() noexcept {
    is_unparked_.store(true);
    if (is_called_from_outside())
        backend_->wake();
    else
        backend_->wake_from(*current_->backend_);
}

std::optional<duration> worker_core::fall_asleep() noexcept {
    if (has_work() || !inbox_.try_sleep())
        return duration::zero();
    const auto stop_searching = [this]() noexcept { leave_shared_functions(); };
    const auto is_needed = [this]() noexcept { return owner_.needs_searcher(); };
    if (!idle_.fall_asleep(owner_.sleeping_workers(), index_, stop_searching, is_needed))
        return duration::zero();
    begin_rest();
    return idle_.is_listed() ? idle_time_when_listed() : idle_time();
}

std::optional<duration> worker_core::idle_time_when_listed() noexcept {
    const std::optional<duration> idle = idle_time();
    if (!idle_.try_watch(owner_.sleeping_workers())) [[likely]]
        return idle;
    const duration left = owner_.look_at_shares(now());
    return idle ? std::min(*idle, left) : left;
}

void worker_core::begin_rest() noexcept {
    if (loop_.jobs() != 0)
        return;
    is_resting_ = true;
    rest_.fetch_add(1);
    owner_.note_rest();
}

void worker_core::serve_backend(bool may_wait) {
    // Before it enters the backend a worker has the most to spare.
    if (turns_.value() % turns_between_looks == 0) [[unlikely]] {
        live_frames_.store(detail::frame_cache::live_blocks(), std::memory_order_relaxed);
        if (detail::cache_trimmer::is_needed())
            spare_.look_if_due(now());
    }
    // A message that has come may have ended what the worker turns for.
    if (!may_wait || !spin_.should_try() || has_work() || !look_for_messages())
        enter_backend(may_wait ? fall_asleep() : duration::zero());
    loop_.work().rest();
}

bool worker_core::take_unpark() noexcept {
    return is_unparked_.load(std::memory_order_relaxed) && is_unparked_.exchange(false);
}

// Polling the inbox takes its cache line from the sender, and taking messages in batches is cheaper. So wait
// about one message latency between two polls.
bool worker_core::look_for_messages() {
    constexpr int looks = 2;  // between two turns of the backend, which may be system calls
    const time_point start = now();
    time_point now = start;
    bool has_come = false;
    do {
        has_come = enter_backend(duration::zero());
        // What this took from the backend would have ended the sleep.
        has_come |= take_unpark();
        loop_.work().rest();
        for (int at = 0; at < looks && !has_come && !has_work(); ++at) {
            now = pass_time_between_looks();
            has_come = !inbox_.is_empty();
        }
        // A clock that is turned by hand stands still.
    } while (!has_come && !has_work() && now != start && now - start < spin_.longest());
    spin_.note_attempt(has_come);
    return has_come;
}

// A pause is some ten nanoseconds long, on some processors a hundred.
time_point worker_core::pass_time_between_looks() noexcept {
    constexpr duration length = std::chrono::nanoseconds(400);
    constexpr int pauses_between_looks_at_the_clock = 8;
    const time_point begin = now();
    time_point now = begin;
    do {
        for (int left = pauses_between_looks_at_the_clock; left > 0; --left)
            detail::pause_processor();
        now = this->now();
    } while (now != begin && now - begin < length);
    return now;
}

bool worker_core::enter_backend(std::optional<duration> wait) {
    loop_.work().rest();
    const bool has_looked = backend_->turn(wait);
    loop_.work().work();
    if (has_looked)
        turn_time_ = {};
    if (idle_.is_listed())
        idle_.wake_up(owner_.sleeping_workers(), index_);
    if (std::exchange(is_resting_, false)) [[unlikely]]
        rest_.fetch_add(1);
    const bool has_come = take_inbox(false);
    if (has_come && wait != duration::zero())
        spin_.note_sleep_ended_by_message();
    start_timers();
    if (const auto due = timers_.next_due(); due && *due <= turn_time())
        timers_fired_.add(timers_.advance(turn_time()));
    // While it is busy itself, another one has to watch.
    if (idle_.is_relied_on() && has_work()) [[unlikely]]
        owner_.wake_one(idle_.end_reliance());
    return has_come;
}

void worker_core::wait_for_events() noexcept {
    leave_shared_functions();
    owner_.wake_one(false);  // which may be needed now
    enter_backend(!inbox_.has_fetched() && inbox_.try_sleep() ? idle_time() : duration::zero());
}

void worker_core::shut_down() noexcept {
    take_inbox(false);
    functions_.clear();
    share_.clear();
    loop_.drop_detached();
    backend_->drain();
    detail::frame_cache::trim();
}

void worker_core::close_backend() noexcept {
    for (unsigned looks = 0; callers_outside_.load(std::memory_order_acquire) != 0; ++looks)
        detail::relax(looks);
    if (connections_.value() != 0 || listeners_.value() != 0 || others_open_.value() != 0)
        detail::fatal("a stream, socket, listener or pipe is open when its runtime ends");
    final_backend_metrics_ = backend_->metrics();
    backend_.reset();
}

bool worker_core::discard_inbox() noexcept {
    return take_inbox(true);
}

std::size_t worker_core::count_messages() const noexcept {
    return inbox_.count();
}

worker_metrics worker_core::metrics() const noexcept {
    return {
        turns_.value(),
        resumptions_.value(),
        functions_called_.value(),
        timers_fired_.value(),
        messages_.value(),
        connections_.value(),
        current_ == this ? detail::frame_cache::live_blocks() : live_frames_.load(std::memory_order_relaxed),
        backend_ != nullptr ? backend_->metrics() : final_backend_metrics_};
}

}  // namespace eddy::detail
