#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/suspension.hpp>

#include <coroutine>
#include <exception>
#include <utility>

namespace eddy::detail {

std::coroutine_handle<> chain_link::outside_;
std::coroutine_handle<> chain_link::dropped_inside_;
std::coroutine_handle<> chain_link::dropped_outermost_;
std::coroutine_handle<> chain_link::dropped_outside_;

void chain_link::unwind_from(std::coroutine_handle<> ended) noexcept {
    for (;;) {
        chain_link& link = std::coroutine_handle<chain_link>::from_address(ended.address()).promise();
        if (!link.is_inside())
            return link.note_drop_of_outermost();
        *std::exchange(link.holder_, &dropped_inside_) = nullptr;  // what holds nothing will destroy nothing
        const std::coroutine_handle<> outer = link.continuation_;
        destroy_frame(ended);
        ended = outer;
    }
}

std::exception_ptr chain_link::escaped_exception() const noexcept {
    if (holder_ != &dropped_inside_ && !is_dropped_outermost())
        return std::current_exception();
    const chain_link* outermost = this;
    while (outermost->is_inside() && !outermost->is_dropped_outermost())
        outermost =
            &std::coroutine_handle<chain_link>::from_address(outermost->continuation_.address()).promise();
    const bool has_job = (outermost->holder_ == nullptr || outermost->holder_ == &dropped_outermost_) &&
                         outermost->continuation_;
    destructor_threw(has_job ? &job::of_root(outermost->continuation_) : nullptr);
}

}  // namespace eddy::detail
