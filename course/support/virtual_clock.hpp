#pragma once

#include "support/hang.hpp"
#include "waiter.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace course {

/// A clock for tests: it stands still while something is ready, and jumps to the next timer when nothing is. Where a
/// loop would wait for ever, it says where the tasks wait and ends the program.
class virtual_clock : public lab::waiter {
public:
    lab::time_point now() override { return now_; }

    void wait(std::optional<lab::time_point> until) override {
        ++waits;
        now_ += turn_takes;
        if (!until)
            report_hang("nothing is ready, no timer is set, and the loop would wait for ever");
        if (*until != lab::time_point::min())
            now_ = std::max(now_, *until);
    }

    /// How often the loop has waited, or looked.
    long waits = 0;
    /// How much time passes in each turn of the loop.
    lab::duration turn_takes{0};

private:
    lab::time_point now_{std::chrono::hours(1)};
};

}  // namespace course
