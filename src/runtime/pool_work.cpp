#include "runtime/pool_work.hpp"

#include <algorithm>
#include <utility>

namespace eddy::detail {

namespace {

constexpr std::uint64_t looks_between_turnabouts = 16;

constexpr std::size_t long_threads(std::size_t threads_max, std::size_t wanted) noexcept {
    const std::size_t all_but_one = std::max<std::size_t>(threads_max - 1, 1);
    return wanted == 0 ? all_but_one : std::min(wanted, all_but_one);
}

}  // namespace

pool_work::pool_work(std::size_t threads_max, std::size_t long_threads_max, std::size_t queue_max)
    : threads_(threads_max),
      long_(long_threads(threads_max, long_threads_max)),
      short_capacity_(queue_max),
      long_capacity_(queue_max) {
    for (std::size_t index = 0; index < threads_max; ++index)
        threads_[index].given_next = index;
}

void pool_work::submit(io::blocking_item& item, work_kind kind, bool may_start) noexcept {
    address(item, kind, true);
    bool is_wanted = false;
    capacity_of(item).enter(item, [&](io::blocking_item& admitted) { is_wanted = enqueue(admitted); });
    if (is_wanted)
        want_thread(may_start);
}

void pool_work::post_more(pool_thread& self, io::blocking_item& item, work_kind kind) noexcept {
    address(item, kind, false);
    if (kind == work_kind::short_running) {
        item.queue = static_cast<std::uint32_t>(&self - threads_.data());
        item.is_own = true;
    }
    insert(item, true);
}

bool pool_work::retract(io::blocking_item& item) noexcept {
    if (item.is_bounded && capacity_of(item).retract(item))
        return true;
    if (!(is_long(item) ? long_.retract(item) : threads_[item.queue].queue.retract(item)))
        return false;
    if (item.is_bounded)
        release_slot(capacity_of(item));
    return true;
}

void pool_work::address(io::blocking_item& item, work_kind kind, bool is_bounded) noexcept {
    const std::size_t queue = kind == work_kind::long_running
                                  ? threads_.size()
                                  : queue_next_.fetch_add(1, std::memory_order_relaxed) % threads_.size();
    item.queue = static_cast<std::uint32_t>(queue);
    item.is_own = false;
    item.is_bounded = is_bounded;
    item.waits_for_capacity = false;
    item.posted_at = clock::now();
}

void pool_work::release_slot(queue_capacity& left) noexcept {
    bool is_wanted = false;
    left.leave([&](io::blocking_item& admitted) { is_wanted = enqueue(admitted); });
    if (is_wanted)
        want_thread(true);
}

void pool_work::live(pool_thread& self) noexcept {
    const auto find_some = [this, &self](look how) noexcept { return find(self, how); };
    const auto call_another = [this]() noexcept { want_thread(false); };
    while (io::blocking_item* const item = idle_.wait_for_work(self, find_some, call_another))
        run(self, *item);
}

io::blocking_item* pool_work::find(pool_thread& self, look how) noexcept {
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

io::blocking_item* pool_work::take_given(pool_thread& self, look how) noexcept {
    for (std::size_t tried = 0; tried < threads_.size(); ++tried) {
        pool_thread& place = threads_[self.given_next];
        self.given_next = self.given_next + 1 < threads_.size() ? self.given_next + 1 : 0;
        if (io::blocking_item* const item = place.queue.take_given(self.activity, how))
            return item;
    }
    return nullptr;
}

io::blocking_item* pool_work::steal(pool_thread& self, look how) noexcept {
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

void pool_work::run(pool_thread& self, io::blocking_item& item) noexcept {
    // Afterwards the item may be gone.
    const bool is_long_one = is_long(item);
    auto& longest = is_long_one ? self.longest_wait_long : self.longest_wait_short;
    const duration::rep waited = (clock::now() - item.posted_at).count();
    if (waited > longest.load(std::memory_order_relaxed))
        longest.store(waited, std::memory_order_relaxed);
    // Two may come to be possible by what was taken: long work that had to wait for this thread, where it
    // took something else, and what gets the item's slot.
    if (std::exchange(self.may_long_begin, false) && !is_long_one)
        want_thread(true);
    if (item.is_bounded)
        release_slot(capacity_of(item));
    item.run(item);
    ++self.done;
    self.activity.store(pool_activity::none, std::memory_order_release);
    if (is_long_one)
        self.may_long_begin = long_.end_one();
}

bool pool_work::has_waiting(work_kind kind) const noexcept {
    if (kind == work_kind::long_running)
        return long_.count() != 0;
    return std::ranges::any_of(threads_, [](const pool_thread& each) { return each.queue.has_given(); });
}

offload_metrics pool_work::metrics() const noexcept {
    // An item goes from its room to a queue to a thread: read in this order it is seen at least once.
    offload_metrics now;
    now.waiting_for_room = short_capacity_.waiting() + long_capacity_.waiting();
    now.waited_for_room = short_capacity_.waited() + long_capacity_.waited();
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
    now.idle = idle_.count();
    return now;
}

}  // namespace eddy::detail
