#pragma once

#include <eddy/core/task.hpp>

namespace eddy::detail {

/// Waits for a turn of the worker in which no other handshake computes, first come, first served. A step of a
/// handshake takes about a millisecond, so that ten in one turn would keep everything else waiting for ten.
///
/// try_handshake_turn() takes this turn of the worker if no handshake computes in it or waits; false
/// otherwise.
///
/// Cancellation: a dropped wait leaves the queue. Throw std::bad_alloc. Require: on a worker.
[[nodiscard]] bool try_handshake_turn();
[[nodiscard]] task<> handshake_turn();

}  // namespace eddy::detail
