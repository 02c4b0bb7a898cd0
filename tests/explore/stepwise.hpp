#pragma once

#include <eddy/detail/atomic.hpp>

namespace eddy::explore {

/// A number that is built, moved and read by steps of its own. The explorer changes threads at steps on
/// atomics only, so of a plain value it would not see that it was shown before it was whole.
class stepwise {
public:
    explicit stepwise(int number) noexcept { number_.store(number); }
    stepwise(stepwise&& other) noexcept { number_.store(other.number_.exchange(0)); }
    stepwise& operator=(stepwise&&) = delete;
    ~stepwise() = default;

    [[nodiscard]] int number() const noexcept { return number_.load(); }

private:
    detail::atomic<int> number_{0};
};

}  // namespace eddy::explore
