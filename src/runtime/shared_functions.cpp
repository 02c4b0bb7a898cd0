#include <eddy/runtime/detail/shared_functions.hpp>

#include <algorithm>
#include <new>

namespace eddy::detail {

std::size_t shared_functions::share_out(function_queue& to, std::size_t share) noexcept {
    const std::lock_guard lock(lock_);
    const std::size_t before = count_.load(std::memory_order_relaxed);
    std::size_t moved = 0;
    try {
        for (; moved < std::min(share, before); ++moved)
            functions_.move_next(to);
    } catch (const std::bad_alloc&) {
        // The rest stays for a better time.
    }
    count_.store(before - moved, std::memory_order_relaxed);
    if (moved != 0 && moved == before)
        is_filled_.store(false, std::memory_order_relaxed);
    return moved;
}

std::size_t shared_functions::take_over(function_queue& from, std::size_t count) noexcept {
    const std::lock_guard lock(lock_);
    const std::size_t before = count_.load(std::memory_order_relaxed);
    std::size_t taken = 0;
    try {
        for (; taken < count; ++taken)
            from.move_next(functions_);
    } catch (const std::bad_alloc&) {
        // The rest stays where it is for now.
    }
    count_.store(before + taken, std::memory_order_relaxed);
    if (taken != 0)
        is_filled_.store(true);
    return count - taken;
}

void shared_functions::clear() noexcept {
    function_queue cleared;  // by no lock held: destructors may post
    const std::lock_guard lock(lock_);
    cleared.splice_back(functions_);
    count_.store(0, std::memory_order_relaxed);
    is_filled_.store(false, std::memory_order_relaxed);
}

}  // namespace eddy::detail
