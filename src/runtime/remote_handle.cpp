#include <eddy/runtime/remote_handle.hpp>

#include <new>
#include <system_error>

namespace eddy::detail {

void remote_call_base::receive_start(inbox_item& item, bool is_discarded) noexcept {
    auto& call = static_cast<message&>(item).call;
    if (!is_discarded) {
        try {
            call.job_ = &call.make_job_here();
            call.has_begun_ = true;
            call.target_.loop().adopt(*call.job_);
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
    // Also where home has ended before the news came: the exception is heard of here or nowhere.
    if (call.is_detached_)
        call.end_detached_call();
    call.release();
}

void remote_call_base::throw_without_result() const {
    if (!has_begun_)
        throw std::bad_alloc();
    throw std::system_error(std::make_error_code(std::errc::operation_canceled), "remote task");
}

void remote_call_base::end_detached_call() const noexcept {
    if (const std::exception_ptr left = error())
        uncaught_in_detached(origin_, left);
}

}  // namespace eddy::detail
