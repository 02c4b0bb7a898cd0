#pragma once

#include "sync/rounds.hpp"

#include <eddy/detail/spinlock.hpp>
#include <eddy/sync/condition_variable.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/latch.hpp>
#include <eddy/sync/mutex.hpp>
#include <eddy/sync/wait_group.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <future>
#include <latch>
#include <mutex>

namespace bench {

// Passes time on the processor: that many additions, which the compiler may not leave out.
inline void busy_loop(int turns) {
    unsigned long count = 0;
    for (int at = 0; at < turns; ++at)
        asm volatile("" : "+r"(++count));
}

// The last participant sets what the others wait for, each with a busy loop before or after.
class std_event_round {
public:
    explicit std_event_round(round_size size) : size_(size) {}

    void run(std::size_t participant) {
        if (participant + 1 < size_.participants)
            return wait();
        busy_loop(size_.busy_turns);
        promise_.set_value();
    }

private:
    void wait() {
        future_.wait();
        busy_loop(size_.busy_turns);
    }

    round_size size_;
    std::promise<void> promise_;
    std::shared_future<void> future_ = promise_.get_future().share();
};

class eddy_event_round {
public:
    explicit eddy_event_round(round_size size) : size_(size) {}

    eddy::task<> run(std::size_t participant) {
        if (participant + 1 < size_.participants) {
            co_await event_.wait();
            busy_loop(size_.busy_turns);
            co_return;
        }
        busy_loop(size_.busy_turns);
        event_.set();
    }

private:
    round_size size_;
    eddy::event<> event_;
};

// The second half of the participants wait until the first half have counted down.
inline std::size_t count_of(round_size size) {
    return size.participants / 2;
}

class std_latch_round {
public:
    explicit std_latch_round(round_size size)
        : size_(size), latch_(static_cast<std::ptrdiff_t>(count_of(size))) {}

    void run(std::size_t participant) {
        if (participant < count_of(size_)) {
            busy_loop(size_.busy_turns);
            latch_.count_down();
        } else {
            latch_.wait();
            busy_loop(size_.busy_turns);
        }
    }

private:
    round_size size_;
    std::latch latch_;
};

class eddy_latch_round {
public:
    explicit eddy_latch_round(round_size size) : size_(size), latch_(count_of(size)) {}

    eddy::task<> run(std::size_t participant) {
        if (participant < count_of(size_)) {
            busy_loop(size_.busy_turns);
            latch_.count_down();
        } else {
            co_await latch_.wait();
            busy_loop(size_.busy_turns);
        }
    }

private:
    round_size size_;
    eddy::latch latch_;
};

class eddy_wait_group_round {
public:
    explicit eddy_wait_group_round(round_size size) : size_(size) { group_.add(count_of(size)); }

    eddy::task<> run(std::size_t participant) {
        if (participant < count_of(size_)) {
            busy_loop(size_.busy_turns);
            group_.done();
        } else {
            co_await group_.wait();
            busy_loop(size_.busy_turns);
        }
    }

private:
    round_size size_;
    eddy::wait_group group_;
};

// Every participant takes the lock its share of the round's items, with a busy loop under it.
template <class Mutex>
class blocking_mutex_round {
public:
    explicit blocking_mutex_round(round_size size) : size_(size) {}

    void run(std::size_t) {
        for (std::int64_t left = size_.items_per_participant(); left > 0; --left) {
            const std::lock_guard lock(mutex_);
            busy_loop(size_.busy_turns);
        }
    }

private:
    round_size size_;
    Mutex mutex_;
};

using std_mutex_round = blocking_mutex_round<std::mutex>;
using spinlock_round = blocking_mutex_round<eddy::detail::spinlock>;

class eddy_mutex_round {
public:
    explicit eddy_mutex_round(round_size size) : size_(size) {}

    eddy::task<> run(std::size_t) {
        for (std::int64_t left = size_.items_per_participant(); left > 0; --left) {
            const auto lock = co_await mutex_.lock();
            busy_loop(size_.busy_turns);
        }
    }

private:
    round_size size_;
    eddy::mutex mutex_;
};

enum class notified { one, all };

template <notified Whom, class Condition>
void notify(Condition& changed) {
    if constexpr (Whom == notified::one)
        changed.notify_one();
    else
        changed.notify_all();
}

// The participants come in turn, each its share of the round's items: a participant waits for its turn, passes some
// time and gives the turn on. Requires: two participants if one is notified.
template <notified Whom>
class std_condition_round {
public:
    explicit std_condition_round(round_size size) : size_(size) {}

    void run(std::size_t participant) {
        for (std::int64_t left = size_.items_per_participant(); left > 0; --left) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return next_ == participant; });
            busy_loop(size_.busy_turns);
            next_ = (participant + 1) % size_.participants;
            notify<Whom>(changed_);
        }
    }

private:
    round_size size_;
    std::size_t next_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
};

template <notified Whom>
class eddy_condition_round {
public:
    explicit eddy_condition_round(round_size size) : size_(size) {}

    eddy::task<> run(std::size_t participant) {
        const auto is_my_turn = [this, participant] { return next_ == participant; };
        for (std::int64_t left = size_.items_per_participant(); left > 0; --left) {
            auto lock = co_await mutex_.lock();
            co_await changed_.wait(lock, is_my_turn);
            busy_loop(size_.busy_turns);
            next_ = (participant + 1) % size_.participants;
            notify<Whom>(changed_);
        }
    }

private:
    round_size size_;
    std::size_t next_ = 0;
    eddy::mutex mutex_;
    eddy::condition_variable changed_;
};

}  // namespace bench
