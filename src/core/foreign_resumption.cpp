#include <eddy/core/detail/foreign_resumption.hpp>

namespace eddy::detail {

void foreign_resumption::make_ready() noexcept {
    job_.suspend_at(point_);
    home_.make_ready(job_);
}

void foreign_resumption::resumed(void* frame) {
    foreign_resumption& self = *static_cast<resumption_frame*>(frame)->self;
    // Cleared, as a coroutine's is that has ended: done() reveals a second resumption.
    self.frame_.resume = nullptr;
    resume_loop& home = self.home_;
    const bool is_home = resume_loop::current_or_null() == &home;
    state expected = state::waiting;
    if (!self.state_.compare_exchange_strong(expected, is_home ? state::over : state::posted,
                                             std::memory_order_acq_rel))
        return;  // the coroutine has gone
    if (is_home)
        self.make_ready();
    else
        home.host().post(self);
}

void foreign_resumption::received(inbox_item& item, bool is_discarded) noexcept {
    auto& self = static_cast<foreign_resumption&>(item);
    state expected = state::posted;
    if (!self.state_.compare_exchange_strong(expected, state::over, std::memory_order_acq_rel))
        delete &self;
    else if (!is_discarded)
        self.make_ready();
}

void foreign_resumption::abandon() noexcept {
    const state before = state_.exchange(state::abandon, std::memory_order_acq_rel);
    if (before == state::posted)
        return;
    if (before == state::waiting && is_awaiter_elsewhere_ && home_.has_host())
        home_.host().post(*this);
    else
        delete this;
}

}  // namespace eddy::detail
