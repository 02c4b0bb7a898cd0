#include "runtime/idle_threads.hpp"
#include "runtime/long_queue.hpp"
#include "runtime/queue_room.hpp"
#include "runtime/short_queue.hpp"
#include "runtime/start_thread.hpp"

#include <eddy/detail/assert.hpp>
#include <eddy/detail/counter.hpp>
#include <eddy/io/host.hpp>
#include <eddy/runtime/detail/offload_pool.hpp>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace eddy {

namespace {

using detail::look;
using detail::pool_activity;

constexpr std::uint64_t looks_between_turnabouts = 16;
constexpr std::size_t cache_line_bytes = 64;

constexpr std::size_t long_threads(std::size_t threads_max, std::size_t wanted) noexcept {
    const std::size_t all_but_one = std::max<std::size_t>(threads_max - 1, 1);
    return wanted == 0 ? all_but_one : std::min(wanted, all_but_one);
}

/// One thread of the pool, what waits at it, and what it has done. It may not have been started.
struct alignas(cache_line_bytes) pool_thread : detail::sleeper {
    detail::short_queue queue;

    // The thread's own.
    std::uint64_t looks = 0;
    std::size_t given_next = 0;  // the queue at which it first looks for work from outside
    bool may_long_begin = false;

    // Read by everyone.
    detail::shown_activity activity{pool_activity::none};
    detail::counter done;
    detail::counter stolen;
    detail::atomic<duration::rep> longest_wait_short{0};
    detail::atomic<duration::rep> longest_wait_long{0};

    std::thread thread;
};

}  // namespace

// The loop of a thread of the pool: it looks for work, runs it, and looks again; finding none, it enters the
// list of the idle, looks once more with certainty, and sleeps (idle_threads.hpp explains why no wake-up is
// lost).
//
// A thread looks, in this order, for
//
//   1. what it has posted itself, newest first;
//   2. work from outside, at all queues in turn, so that what waits at a busy thread is not late;
//   3. what other threads have posted themselves, oldest first;
//   4. long work, unless as many threads as permitted already run some.
//
// and every sixteenth time the other way round. Any thread finds all work that can begin, so posting wakes
// any one that sleeps, or starts one if none sleeps and not all have been started. The first is started
// before anything is posted, so what is in a queue has a thread that will run it; where that fails, submitted
// work is refused, and a backend's work is done by the caller.
//
// Locks: a room's is held while an item goes into its queue; no other two are held at once.
class offload_pool::machinery {
public:
    machinery(std::size_t threads_max, std::size_t long_threads_max, std::size_t queue_max)
        : threads_(threads_max),
          long_(long_threads(threads_max, long_threads_max)),
          short_room_(queue_max),
          long_room_(queue_max) {}

    // -- posting --

    void post(io::blocking_item& item) noexcept {
        assert_not_ended();
        address(item, work_kind::short_running, false);
        const bool is_first = is_without_threads();
        if (is_first && start_thread() != nullptr)
            return item.run(item);
        insert(item, !is_first);
    }

    void submit(io::blocking_item& item, work_kind kind) {
        assert_not_ended();
        const bool is_first = is_without_threads();
        if (is_first)
            if (const std::exception_ptr failure = start_thread())
                std::rethrow_exception(failure);
        address(item, kind, true);
        bool is_wanted = false;
        room_of(item).enter(item, [&](io::blocking_item& admitted) { is_wanted = enqueue(admitted); });
        if (is_wanted)
            want_thread(!is_first);
    }

    void post_more(io::blocking_item& item, work_kind kind) noexcept {
        EDDY_ASSERT(current_ != nullptr, "a thread of the pool posts more of its work");
        address(item, kind, false);
        if (kind == work_kind::short_running) {
            item.queue = static_cast<std::uint32_t>(current_ - threads_.data());
            item.is_own = true;
        }
        insert(item, true);
    }

    void post_behind(io::blocking_item& item, work_kind kind) noexcept {
        address(item, kind, false);
        insert(item, true);
    }

    bool retract(io::blocking_item& item) noexcept {
        if (item.is_bounded && room_of(item).retract(item))
            return true;
        if (!(is_long(item) ? long_.retract(item) : threads_[item.queue].queue.retract(item)))
            return false;
        if (item.is_bounded)
            leave_room(room_of(item));
        return true;
    }

    void stop() noexcept {
        idle_.end();
        {
            const std::lock_guard guard(starting_);
            is_stopping_.store(true, std::memory_order_relaxed);
        }
        for (pool_thread& each : threads_)
            if (each.thread.joinable())
                each.thread.join();
    }

    // -- looking at it --

    [[nodiscard]] bool has_waiting(work_kind kind) const noexcept {
        if (kind == work_kind::long_running)
            return long_.count() != 0;
        return std::ranges::any_of(threads_, [](const pool_thread& each) { return each.queue.has_given(); });
    }
    [[nodiscard]] std::size_t threads_max(work_kind kind) const noexcept {
        return kind == work_kind::long_running ? long_.threads_max() : threads_.size();
    }
    [[nodiscard]] eddy::offload_metrics metrics() const noexcept;

private:
    // -- where items are: `queue` is the index of a thread, or that behind the last for long work --

    [[nodiscard]] bool is_long(const io::blocking_item& item) const noexcept {
        return item.queue == threads_.size();
    }
    [[nodiscard]] detail::queue_room& room_of(const io::blocking_item& item) noexcept {
        return is_long(item) ? long_room_ : short_room_;
    }

    void address(io::blocking_item& item, work_kind kind, bool is_bounded) noexcept {
        const std::size_t queue = kind == work_kind::long_running
                                      ? threads_.size()
                                      : queue_next_.fetch_add(1, std::memory_order_relaxed) % threads_.size();
        item.queue = static_cast<std::uint32_t>(queue);
        item.is_own = false;
        item.is_bounded = is_bounded;
        item.waits_for_room = false;
        item.posted_at = clock::now();
    }

    /// Returns whether a thread is needed.
    bool enqueue(io::blocking_item& item) noexcept {
        if (is_long(item))
            return long_.post(item);
        threads_[item.queue].queue.post(item);
        return true;
    }
    // The item may be gone afterwards.
    void insert(io::blocking_item& item, bool may_start) noexcept {
        if (enqueue(item))
            want_thread(may_start);
    }
    void leave_room(detail::queue_room& room) noexcept {
        bool is_wanted = false;
        room.leave([&](io::blocking_item& admitted) { is_wanted = enqueue(admitted); });
        if (is_wanted)
            want_thread(true);
    }

    // -- threads --

    /// What runs may post while the pool ends, since its thread looks for more afterwards; for what comes
    /// from outside there may be no thread any more.
    void assert_not_ended() const noexcept {
        EDDY_ASSERT(current_ != nullptr || !is_stopping_.load(std::memory_order_relaxed),
                    "nothing is offloaded once the runtime has ended");
    }
    /// `may_start`: not if one was started for this very item, which looks for it by itself unless it sleeps
    /// already.
    void want_thread(bool may_start) noexcept {
        if (!idle_.wake_one() && may_start && started_.load(std::memory_order_relaxed) < threads_.size())
            static_cast<void>(start_thread());
    }
    [[nodiscard]] bool is_without_threads() const noexcept {
        return started_.load(std::memory_order_acquire) == 0;
    }
    /// Why no thread can be started, or null.
    std::exception_ptr start_thread() noexcept;

    void live(pool_thread& self) noexcept;
    [[nodiscard]] io::blocking_item* wait_for_item(pool_thread& self) noexcept;
    [[nodiscard]] io::blocking_item* find(pool_thread& self, look how) noexcept;
    [[nodiscard]] io::blocking_item* take_given(pool_thread& self, look how) noexcept;
    [[nodiscard]] io::blocking_item* steal(pool_thread& self, look how) noexcept;
    void run(pool_thread& self, io::blocking_item& item) noexcept;

    static constinit thread_local pool_thread* current_;

    std::vector<pool_thread> threads_;
    detail::long_queue long_;
    detail::queue_room short_room_;
    detail::queue_room long_room_;
    detail::idle_threads idle_;
    detail::atomic<std::size_t> queue_next_{0};

    std::mutex starting_;
    detail::atomic<bool> is_stopping_{false};  // written under starting_
    detail::atomic<std::size_t> started_{0};
};

constinit thread_local pool_thread* offload_pool::machinery::current_ = nullptr;

std::exception_ptr offload_pool::machinery::start_thread() noexcept {
    try {
        const io::signals_blocked no_signals;
        const std::lock_guard guard(starting_);
        const std::size_t index = started_.load(std::memory_order_relaxed);
        if (is_stopping_.load(std::memory_order_relaxed) || index == threads_.size())
            return nullptr;
        pool_thread& made = threads_[index];
        made.given_next = index;
        made.thread = detail::start_thread("offloaded functions", [this, &made] { live(made); });
        started_.store(index + 1, std::memory_order_release);
        return nullptr;
    } catch (...) {
        return std::current_exception();
    }
}

void offload_pool::machinery::live(pool_thread& self) noexcept {
    io::name_this_thread("eddy-offload");
    current_ = &self;
    while (io::blocking_item* const item = wait_for_item(self))
        run(self, *item);
}

io::blocking_item* offload_pool::machinery::wait_for_item(pool_thread& self) noexcept {
    for (;;) {
        if (io::blocking_item* const item = find(self, look::likely))
            return item;
        if (!idle_.enter(self))
            return find(self, look::certain);
        if (io::blocking_item* const item = find(self, look::certain)) {
            if (idle_.leave(self))
                want_thread(false);  // what this one was woken for may be something else
            return item;
        }
        detail::idle_threads::sleep(self);
    }
}

io::blocking_item* offload_pool::machinery::find(pool_thread& self, look how) noexcept {
    const bool is_turned = ++self.looks % looks_between_turnabouts == 0;
    if (is_turned) {
        if (io::blocking_item* const item = long_.take(self.activity, how))
            return item;
        if (io::blocking_item* const item = steal(self, how))
            return item;
        if (io::blocking_item* const item = take_given(self, how))
            return item;
        return self.queue.take_own(self.activity, how);
    }
    if (io::blocking_item* const item = self.queue.take_own(self.activity, how))
        return item;
    if (io::blocking_item* const item = take_given(self, how))
        return item;
    if (io::blocking_item* const item = steal(self, how))
        return item;
    return long_.take(self.activity, how);
}

io::blocking_item* offload_pool::machinery::take_given(pool_thread& self, look how) noexcept {
    for (std::size_t tried = 0; tried < threads_.size(); ++tried) {
        pool_thread& place = threads_[self.given_next];
        self.given_next = self.given_next + 1 < threads_.size() ? self.given_next + 1 : 0;
        if (io::blocking_item* const item = place.queue.take_given(self.activity, how))
            return item;
    }
    return nullptr;
}

io::blocking_item* offload_pool::machinery::steal(pool_thread& self, look how) noexcept {
    const auto own = static_cast<std::size_t>(&self - threads_.data());
    for (std::size_t away = 1; away < threads_.size(); ++away) {
        pool_thread& victim = threads_[(own + away) % threads_.size()];
        if (io::blocking_item* const item = victim.queue.steal(self.activity, how)) {
            ++self.stolen;
            return item;
        }
    }
    return nullptr;
}

void offload_pool::machinery::run(pool_thread& self, io::blocking_item& item) noexcept {
    // Afterwards the item may be gone.
    const bool is_long_one = is_long(item);
    auto& longest = is_long_one ? self.longest_wait_long : self.longest_wait_short;
    const duration::rep waited = (clock::now() - item.posted_at).count();
    if (waited > longest.load(std::memory_order_relaxed))
        longest.store(waited, std::memory_order_relaxed);
    // Two may come to be possible by what was taken: long work that had to wait for this thread, where it
    // took something else, and what gets the item's room.
    if (std::exchange(self.may_long_begin, false) && !is_long_one)
        want_thread(true);
    if (item.is_bounded)
        leave_room(room_of(item));
    item.run(item);
    ++self.done;
    self.activity.store(pool_activity::none, std::memory_order_release);
    if (is_long_one)
        self.may_long_begin = long_.end_one();
}

eddy::offload_metrics offload_pool::machinery::metrics() const noexcept {
    // An item goes from its room to a queue to a thread: read in this order it is seen at least once.
    eddy::offload_metrics now;
    now.waiting_for_room = short_room_.waiting() + long_room_.waiting();
    now.waited_for_room = short_room_.waited() + long_room_.waited();
    now.queued_long = long_.count();
    for (const pool_thread& each : threads_)
        now.queued_short += each.queue.count();
    duration::rep longest_short = 0;
    duration::rep longest_long = 0;
    for (const pool_thread& each : threads_) {
        const pool_activity activity = each.activity.load(std::memory_order_acquire);
        now.running_short += activity == pool_activity::short_work ? 1 : 0;
        now.running_long += activity == pool_activity::long_work ? 1 : 0;
        now.done += each.done.value();
        now.stolen += each.stolen.value();
        longest_short = std::max(longest_short, each.longest_wait_short.load(std::memory_order_relaxed));
        longest_long = std::max(longest_long, each.longest_wait_long.load(std::memory_order_relaxed));
    }
    now.longest_wait_short = duration(longest_short);
    now.longest_wait_long = duration(longest_long);
    now.threads = started_.load(std::memory_order_relaxed);
    now.idle = idle_.count();
    return now;
}

offload_pool::offload_pool(std::size_t threads_max, std::size_t long_threads_max, std::size_t queue_max)
    : machinery_(std::make_unique<machinery>(threads_max, long_threads_max, queue_max)) {}

offload_pool::~offload_pool() {
    stop();
}

void offload_pool::post(io::blocking_item& item) noexcept {
    machinery_->post(item);
}

void offload_pool::submit(io::blocking_item& item, work_kind kind) {
    machinery_->submit(item, kind);
}

void offload_pool::post_more(io::blocking_item& item, work_kind kind) noexcept {
    machinery_->post_more(item, kind);
}

void offload_pool::post_behind(io::blocking_item& item, work_kind kind) noexcept {
    machinery_->post_behind(item, kind);
}

bool offload_pool::has_waiting(work_kind kind) const noexcept {
    return machinery_->has_waiting(kind);
}

bool offload_pool::retract(io::blocking_item& item) noexcept {
    return machinery_->retract(item);
}

std::size_t offload_pool::threads_max(work_kind kind) const noexcept {
    return machinery_->threads_max(kind);
}

offload_metrics offload_pool::metrics() const noexcept {
    return machinery_->metrics();
}

std::size_t offload_pool::count_under_way() const noexcept {
    const auto now = metrics();
    return now.waiting_for_room + now.queued_short + now.queued_long + now.running_short + now.running_long;
}

void offload_pool::stop() noexcept {
    machinery_->stop();
}

}  // namespace eddy
