#include <eddy/runtime/detail/current_system.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/detail/growing_wait.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace eddy::detail {

namespace {

constexpr double jitter = 0.2;

duration scaled(duration length, double factor) noexcept {
    return saturated(
        std::chrono::duration<double, duration::period>(static_cast<double>(length.count()) * factor));
}

// From 0 to 1.
double random_fraction() {
    return static_cast<double>(current_system().randomness->bits()) * 0x1p-64;
}

}  // namespace

duration growing_wait::next() {
    const duration wait = std::exchange(current_, std::min(most_, scaled(current_, factor_)));
    return scaled(wait, 1 - jitter + 2 * jitter * random_fraction());
}

}  // namespace eddy::detail
