#include <eddy/runtime/worker.hpp>
#include <eddy/testing/shift_clocks.hpp>

namespace eddy::testing {

void set_wall_clock_ahead(duration length) noexcept {
    eddy::detail::worker_core::current().backend().system().clocks->shift_clocks(length, duration::zero());
}

void pretend_suspension(duration length) noexcept {
    eddy::detail::worker_core::current().backend().system().clocks->shift_clocks(length, length);
}

}  // namespace eddy::testing
