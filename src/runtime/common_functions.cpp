#include <eddy/runtime/common_functions.hpp>

#include <algorithm>
#include <new>

namespace eddy::detail {

namespace {

// Others wait for the lock meanwhile.
constexpr std::size_t share_max = 128;

}  // namespace

void common_functions::share_out(function_queue& to, std::size_t workers) noexcept {
    const std::lock_guard lock(lock_);
    std::size_t left = count_.load(std::memory_order_relaxed);
    const std::size_t share = std::min((left + workers - 1) / workers, share_max);
    try {
        for (std::size_t moved = 0; moved < share; ++moved, --left)
            functions_.move_next(to);
    } catch (const std::bad_alloc&) {
        // The rest stays for a better time.
    }
    count_.store(left, std::memory_order_relaxed);
}

void common_functions::clear() noexcept {
    function_queue cleared;  // by no lock held: destructors may post
    const std::lock_guard lock(lock_);
    cleared.splice_back(functions_);
    count_.store(0, std::memory_order_relaxed);
}

}  // namespace eddy::detail
