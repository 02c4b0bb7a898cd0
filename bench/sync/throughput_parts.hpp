#pragma once

#include "contest/sample.hpp"
#include "driver/errors.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace bench {

constexpr std::size_t throughput_capacity = 1024;
constexpr int throughput_batch = 1024;  // items between two looks at the clock

// Throws failure when something was lost.
inline sample received_all(const stopwatch& watch, std::int64_t received, std::int64_t sent) {
    if (received != sent)
        throw failure(std::to_string(sent) + " sent, " + std::to_string(received) + " received");
    return watch.stop(received);
}

}  // namespace bench
