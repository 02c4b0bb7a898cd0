#pragma once

#include <eddy/detail/atomic.hpp>

#include <cstdint>

namespace eddy::detail {

enum class pool_activity : std::uint8_t { none, short_work, long_work };

/// What a thread of the pool does now, for statistics. It is set before the item leaves its queue's count, so
/// a reader that reads the queues first and the threads afterwards misses no item.
using shown_activity = atomic<pool_activity>;

/// How a queue is looked at: `likely` may overlook an item that another thread posts at this moment;
/// `certain` does not overlook one whose posting ended before.
enum class look : std::uint8_t { likely, certain };

}  // namespace eddy::detail
