#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace bench {

// A flag that a sleeping thread sets when the time is over, so that asking costs next to nothing.
class alarm_clock {
public:
    explicit alarm_clock(double seconds)
        : sleeper_([this, seconds] {
              std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
              has_rung_.store(true, std::memory_order_relaxed);
          }) {}

    bool has_rung() const { return has_rung_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> has_rung_{false};
    std::jthread sleeper_;
};

}  // namespace bench
