#include <eddy/runtime/detail/function_share.hpp>
#include <eddy/runtime/detail/shared_functions.hpp>

#include <new>

namespace eddy::detail {

std::optional<std::size_t> function_share::add(function_queue& taken, std::size_t count,
                                               std::size_t soon) noexcept {
    const std::lock_guard lock(lock_);
    ++steps_;
    functions_.splice_back(taken);
    count_.store(count_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
    if (!is_searching())
        return std::nullopt;
    return count != 0 ? std::exchange(expected_, soon) : soon;
}

bool function_share::move_next(function_queue& to) {
    if (empty())
        return false;
    const std::lock_guard lock(lock_);
    if (empty())
        return false;
    functions_.move_next(to);
    count_.store(count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    ++steps_;
    return true;
}

function_share::release function_share::release_if_held(shared_functions& to) noexcept {
    const std::lock_guard lock(lock_);
    if (std::exchange(steps_seen_, steps_) != steps_ || (empty() && !is_searching()))
        return {};
    const std::size_t left = to.take_over(functions_, count_.load(std::memory_order_relaxed));
    count_.store(left, std::memory_order_relaxed);
    return {true, end()};
}

void function_share::clear() noexcept {
    function_queue cleared;  // by no lock held: destructors may post
    const std::lock_guard lock(lock_);
    try {
        for (; !empty(); count_.store(count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed))
            functions_.move_next(cleared);
    } catch (const std::bad_alloc&) {
        functions_.clear();
        count_.store(0, std::memory_order_relaxed);
    }
}

}  // namespace eddy::detail
