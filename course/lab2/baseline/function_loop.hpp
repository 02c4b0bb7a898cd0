#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <utility>

namespace baseline {

/// The loop that one writes first: a queue of functions.
class function_loop {
public:
    void post(std::function<void()> work) { ready_.push_back(std::move(work)); }

    void run() {
        while (!ready_.empty()) {
            const auto next = std::move(ready_.front());
            ready_.pop_front();
            next();
        }
    }

private:
    std::deque<std::function<void()>> ready_;
};

/// Something that posts itself again and again, as a task that yields does.
class repeated {
public:
    repeated(function_loop& loop, long times) : loop_(loop), left_(times) {}

    void operator()() {
        if (left_-- > 0)
            loop_.post([this] { (*this)(); });
    }

private:
    function_loop& loop_;
    long left_;
};

/// The timers that one writes first: functions in a tree, sorted by their times.
class timer_map {
public:
    using time_point = std::chrono::steady_clock::time_point;
    using position = std::multimap<time_point, std::function<void()>>::iterator;

    position add(time_point at, std::function<void()> work) { return timers_.emplace(at, std::move(work)); }
    void remove(position one) { timers_.erase(one); }

private:
    std::multimap<time_point, std::function<void()>> timers_;
};

}  // namespace baseline
