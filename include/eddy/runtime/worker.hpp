#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/runtime/detail/worker_core.hpp>
#include <eddy/runtime/metrics.hpp>

#include <cstddef>
#include <utility>

namespace eddy {

class runtime;

/// A thread's share of a runtime: its ready queue, its timers, its inbox and its instance of the backend.
/// Tasks stay on the worker on which they started.
///
/// Thread safety: belongs to its thread, except index(), owner(), post_function() and metrics().
class worker final : private detail::worker_core {
public:
    /// The worker of this thread. Requires: there is one.
    [[nodiscard]] static worker& current() noexcept { return static_cast<worker&>(worker_core::current()); }
    /// The worker of the calling thread; null if it is none.
    [[nodiscard]] static worker* current_or_null() noexcept {
        return static_cast<worker*>(worker_core::current_or_null());
    }

    /// The runtime that it belongs to.
    [[nodiscard]] runtime& owner() const noexcept { return worker_core::owner(); }
    /// 0 to runtime::workers() - 1.
    [[nodiscard]] std::size_t index() const noexcept { return worker_core::index(); }

    /// What its clock says.
    [[nodiscard]] time_point now() const noexcept { return worker_core::now(); }
    /// What its clock said when the worker last looked for what has come, or later: some microseconds ago, or as
    /// long as what has run since has taken. Costs nothing where it was read already.
    [[nodiscard]] time_point turn_time() noexcept { return worker_core::turn_time(); }

    /// Takes over a function to be called on this worker, outside of any task, in the order of posting. Any
    /// thread, as long as the runtime exists. Throws std::bad_alloc, or what its constructor throws.
    template <class Function>
    void post_function(Function&& function) {
        worker_core::post_function(std::forward<Function>(function));
    }

    /// What it has done and has now. Any thread.
    [[nodiscard]] worker_metrics metrics() const noexcept { return worker_core::metrics(); }

private:
    friend class runtime;  // makes and runs them
    using worker_core::worker_core;
};

}  // namespace eddy
