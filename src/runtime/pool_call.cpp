#include <eddy/runtime/detail/offload_pool.hpp>
#include <eddy/runtime/detail/pool_call.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/worker.hpp>

namespace eddy::detail {

void pool_call::start(work_kind kind, job& waiter) noexcept {
    waiter_ = &waiter;
    home_ = &worker_core::current();
    offload_pool& pool = home_->owner().offload_threads();
    try {
        prepare(pool, kind);
        pool.submit(*this, kind);
    } catch (...) {
        fail(std::current_exception());
        is_home_ = true;
        waiter.loop().make_ready(waiter);
    }
}

void pool_call::abandon() noexcept {
    waiter_ = nullptr;
    if (home_ == nullptr || is_home_ || home_->owner().offload_threads().retract(*this))
        delete this;
    else
        stop_early();
}

void pool_call::go_home() noexcept {
    home_->post(*this);
}

void pool_call::come_home(inbox_item& item, bool) noexcept {
    auto& self = static_cast<pool_call&>(item);
    self.is_home_ = true;
    if (self.waiter_ == nullptr)
        delete &self;
    else
        self.waiter_->loop().make_ready(*self.waiter_);
}

}  // namespace eddy::detail
