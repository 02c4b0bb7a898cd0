#include <eddy/core/suspension.hpp>

namespace eddy::detail {

void chain_link::unwind(suspension innermost) noexcept {
    if (!innermost.is_link())
        return;
    std::coroutine_handle<> ended = innermost.point();
    for (;;) {
        const chain_link& link = std::coroutine_handle<chain_link>::from_address(ended.address()).promise();
        if (link.holder_ == nullptr)
            return;
        *link.holder_ = nullptr;  // what holds nothing will destroy nothing
        const std::coroutine_handle<> outer = link.continuation_;
        ended.destroy();
        ended = outer;
    }
}

}  // namespace eddy::detail
