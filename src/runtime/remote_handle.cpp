#include <eddy/runtime/remote_handle.hpp>

namespace eddy::detail {

void remote_call_base::receive_start(inbox_item& item, bool is_discarded) noexcept {
    auto& call = static_cast<message&>(item).call;
    if (!is_discarded) {
        try {
            call.job_ = &call.make_job_here();
            call.place_.loop().adopt(*call.job_);
        } catch (...) {  // out of memory: the guard has sent `ended`, without a result
        }
    }
    call.release();
}

void remote_call_base::receive_drop(inbox_item& item, bool is_discarded) noexcept {
    auto& call = static_cast<message&>(item).call;
    if (!is_discarded && call.job_ != nullptr)
        call.job_->drop();
    call.release();
}

void remote_call_base::receive_ended(inbox_item& item, bool is_discarded) noexcept {
    auto& call = static_cast<message&>(item).call;
    if (!is_discarded) {
        call.has_ended_ = true;
        if (job* const waiter = std::exchange(call.waiter_, nullptr))
            waiter->loop().make_ready(*waiter);
    }
    call.release();
}

}  // namespace eddy::detail
