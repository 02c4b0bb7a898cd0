#include <eddy/core/foreign_resumption.hpp>
#include <eddy/core/resume_loop.hpp>

namespace eddy::detail {

void foreign_resumption::make_ready() noexcept {
    job_.suspend_at(point_);
    job_.loop().make_ready(job_);
}

void foreign_resumption::resumed(void* frame) {
    foreign_resumption& self = *static_cast<resumption_frame*>(frame)->self;
    // Cleared, as a coroutine's is that has ended: done() tells a second resumption.
    self.frame_.resume = nullptr;
    resume_loop& home = self.job_.loop();
    if (resume_loop::current_or_null() == &home)
        return self.make_ready();
    self.state_.store(state::posted, std::memory_order_release);
    home.host().post(self);
}

void foreign_resumption::received(inbox_item& item, bool is_discarded) noexcept {
    auto& self = static_cast<foreign_resumption&>(item);
    state expected = state::posted;
    if (!self.state_.compare_exchange_strong(expected, state::waiting, std::memory_order_acq_rel))
        delete &self;
    else if (!is_discarded)
        self.make_ready();
}

}  // namespace eddy::detail
