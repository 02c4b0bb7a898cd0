#pragma once

#include <atomic>
#include <thread>

namespace course {

/// A thread that ends the program when a test hangs: when every other thread has slept for two seconds, or the test has
/// taken far more of the processor than any does.
class watchdog {
public:
    watchdog();
    watchdog(const watchdog&) = delete;
    ~watchdog();

    /// A new test begins.
    void reset() noexcept { was_reset_.store(true); }

private:
    void run();

    std::atomic<bool> was_reset_ = true;
    std::atomic<bool> is_over_ = false;
    std::thread thread_;
};

}  // namespace course
