#pragma once

#include "parked.hpp"
#include "waiter.hpp"

#include <cstddef>
#include <cstdint>

namespace lab {

/// A coroutine that is resumed at a time. `number` and `place` are the queue's: in which order timers were added, and
/// where this one is.
class timer : public parked {
public:
    static constexpr std::size_t nowhere = ~std::size_t{0};

    time_point at;
    std::uint64_t number = 0;
    std::size_t place = nowhere;
};

}  // namespace lab
