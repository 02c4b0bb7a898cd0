#pragma once

#include <eddy/core/clock.hpp>

#include <cstdint>

namespace eddy::apps {

/// The work of a request: the square of a number, which takes its time. The time is counted in rounds of
/// arithmetic, measured once, not by a clock: a thread that loses its processor has not worked meanwhile.
///
/// Thread safety: any number of threads may call it.
class computation {
public:
    /// Measures for some milliseconds how fast this machine is. Nothing is measured for no work.
    explicit computation(duration work);

    [[nodiscard]] std::uint64_t operator()(std::uint64_t number) const noexcept;

private:
    std::uint64_t rounds_ = 0;
};

}  // namespace eddy::apps
