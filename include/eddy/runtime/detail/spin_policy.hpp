#pragma once

#include <eddy/core/clock.hpp>

#include <algorithm>

namespace eddy::detail {

/// Whether an idle worker polls for messages for a while before it goes to sleep. Where they come soon that
/// is cheaper than a sleep and the system call that ends it, which take both sides microseconds; where they
/// do not it is lost time. So it is tried after messages only, and the more often it failed, the more sleeps
/// that a message ends pass until the next attempt. About four of five must succeed.
class spin_policy {
public:
    /// Attempts last so long at the most; 0: there are none.
    explicit spin_policy(duration longest) noexcept : longest_(longest) {}

    [[nodiscard]] bool should_try() const noexcept { return pause_ == 0 && longest_ != duration::zero(); }
    [[nodiscard]] duration longest() const noexcept { return longest_; }

    void note_sleep_ended_by_message() noexcept {
        if (pause_ != 0)
            --pause_;
    }
    void note_attempt(bool has_come) noexcept {
        if (!has_come) {
            in_vain_ = std::min(2 * in_vain_ + 1, pause_max);
            pause_ = in_vain_;
            in_a_row_ = 0;
        } else if (++in_a_row_ == row) {
            in_vain_ /= 2;
            in_a_row_ = 0;
        }
    }

private:
    static constexpr unsigned pause_max = 255;
    static constexpr unsigned row = 4;

    duration longest_;
    unsigned pause_ = 1;  // sleeps until the next attempt
    unsigned in_vain_ = 0;
    unsigned in_a_row_ = 0;  // successes
};

}  // namespace eddy::detail
