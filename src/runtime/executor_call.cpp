#include <eddy/runtime/detail/executor_call.hpp>

#include <system_error>

namespace eddy::detail {

void throw_no_place() {
    throw std::system_error(std::make_error_code(std::errc::invalid_argument),
                            "an executor that names no place");
}

void throw_no_tasks() {
    throw std::system_error(std::make_error_code(std::errc::operation_not_supported),
                            "tasks run on workers of the caller's runtime only");
}

void throw_uncalled() {
    throw std::system_error(std::make_error_code(std::errc::operation_canceled),
                            "the function was never called");
}

void executor_call_state::abandon() noexcept {
    waiter_ = nullptr;
    state_.exchange(state::abandoned, std::memory_order_acq_rel);
    release();
}

void executor_call_state::finish() noexcept {
    state expected = state::waiting;
    if (state_.compare_exchange_strong(expected, state::posted, std::memory_order_acq_rel))
        home_.post(*this);
    else
        release();
}

void executor_call_state::come_home(inbox_item& item, bool) noexcept {
    auto& self = static_cast<executor_call_state&>(item);
    self.is_home_ = true;
    if (job* const waiter = std::exchange(self.waiter_, nullptr))
        waiter->loop().make_ready(*waiter);
    self.release();
}

}  // namespace eddy::detail
