#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace eddy::apps::memcached {

/// What is counted, each by its name in the statistics.
enum class count : std::uint8_t {
    cmd_get,
    cmd_set,
    cmd_flush,
    cmd_touch,
    cmd_meta,
    get_hits,
    get_misses,
    delete_hits,
    delete_misses,
    incr_hits,
    incr_misses,
    decr_hits,
    decr_misses,
    cas_hits,
    cas_misses,
    cas_badval,
    touch_hits,
    touch_misses,
    store_too_large,
    store_no_memory,
    bytes_read,
    bytes_written,
    total_connections,
    closed_connections,
    rejected_connections,
};
inline constexpr std::array<std::string_view, 25> count_names = {
    "cmd_get",     "cmd_set",       "cmd_flush",         "cmd_touch",          "cmd_meta",
    "get_hits",    "get_misses",    "delete_hits",       "delete_misses",      "incr_hits",
    "incr_misses", "decr_hits",     "decr_misses",       "cas_hits",           "cas_misses",
    "cas_badval",  "touch_hits",    "touch_misses",      "store_too_large",    "store_no_memory",
    "bytes_read",  "bytes_written", "total_connections", "closed_connections", "rejected_connections"};

/// What one worker has counted since it began. It alone adds; any thread may read.
class alignas(64) counters {
public:
    void add(count what, std::uint64_t times = 1) noexcept {
        auto& counted = values_[static_cast<std::size_t>(what)];
        counted.store(counted.load(std::memory_order_relaxed) + times, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t value(count what) const noexcept {
        return values_[static_cast<std::size_t>(what)].load(std::memory_order_relaxed);
    }

private:
    std::array<std::atomic<std::uint64_t>, count_names.size()> values_{};
};

}  // namespace eddy::apps::memcached
