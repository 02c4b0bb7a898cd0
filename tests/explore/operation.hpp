#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <source_location>
#include <vector>

namespace eddy::explore {

/// What a model thread is about to do. It stops before each of these until it is its turn.
enum class action : std::uint8_t {
    load,
    store,
    exchange,
    compare_exchange,
    modify,
    wait,
    notify,
    destroy,
    relax,  // goes on once another thread has changed what this thread has read
    wake,   // goes on once it has been notified
};

constexpr std::uint32_t no_object = std::numeric_limits<std::uint32_t>::max();

/// `object` counts the atomics of a run in the order in which they were made.
struct operation {
    action what = action::relax;
    bool is_write = false;
    std::uint32_t object = no_object;
    std::source_location where;
    std::vector<std::uint32_t> watched{};  // by a relax: what it has read

    [[nodiscard]] bool reads_or_writes(std::uint32_t other) const noexcept {
        return object == other || std::find(watched.begin(), watched.end(), other) != watched.end();
    }
    /// Whether their order can matter.
    [[nodiscard]] bool depends_on(const operation& other) const noexcept {
        if (is_write && object != no_object && other.reads_or_writes(object))
            return true;
        return other.is_write && other.object != no_object && reads_or_writes(other.object);
    }
};

}  // namespace eddy::explore
