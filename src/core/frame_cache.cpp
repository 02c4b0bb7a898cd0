#include <eddy/base/allocation_window.hpp>
#include <eddy/core/frame_cache.hpp>

#include <new>
#include <utility>

namespace eddy::detail {

constinit frame_cache::block frame_cache::end_of_open{nullptr, 0};
constinit frame_cache::block frame_cache::end_of_closed{nullptr, height_of_closed};
constinit thread_local frame_cache::thread_state frame_cache::state_;

/// Empties the cache when its thread ends. What destructors of other thread-local objects free after that
/// goes to the heap.
struct frame_cache_guard {
    ~frame_cache_guard() {
        frame_cache::trim();
        frame_cache::end_lists_with(frame_cache::end_of_closed);
    }
};

void frame_cache::open() {
    static thread_local frame_cache_guard guard;
    static_cast<void>(guard);
    state_.was_opened = true;
    end_lists_with(end_of_open);
}

// Requires: the lists are empty.
void frame_cache::end_lists_with(block& end) noexcept {
    for (block*& list : state_.lists)
        list = &end;
}

void* frame_cache::allocate_slow(std::size_t size) {
    if (!allocation_window::is_new_replaced() && allocation_window::must_fail()) [[unlikely]]
        throw std::bad_alloc();
#if !EDDY_SANITIZED
    if (!state_.was_opened)
        open();
    // A whole number of granules, so that any block of a class serves the class.
    void* const at = ::operator new(class_of(size) <= classes ? class_of(size) * granule : size);
#else
    void* const at = ::operator new(size);
#endif
    ++state_.taken_from_heap;
    return at;
}

// The class is full, or there is none.
void frame_cache::deallocate_slow(void* at, [[maybe_unused]] std::size_t size) noexcept {
#if !EDDY_SANITIZED
    const std::size_t index = class_of(size);
    if (index <= classes && state_.shares_left != 0 && state_.lists[index]->height < height_of_closed) {
        --state_.shares_left;
        state_.height_max[index] += blocks_a_share(index);
        return deallocate(at, size);
    }
#endif
    give_to_heap(at);
}

void frame_cache::give_to_heap(void* at) noexcept {
    --state_.taken_from_heap;
    ::operator delete(at);
}

std::int64_t frame_cache::live_blocks() noexcept {
    std::int64_t live = state_.taken_from_heap;
    for (const block* first : state_.lists)
        if (first->next != nullptr)
            live -= static_cast<std::int64_t>(first->height);
    return live;
}

void frame_cache::bypass(bool is_bypassed) {
    if (!state_.was_opened)
        open();
    trim();
    end_lists_with(is_bypassed ? end_of_closed : end_of_open);
}

void frame_cache::trim() noexcept {
    for (block*& list : state_.lists) {
        while (block* const next = list->next)
            give_to_heap(std::exchange(list, next));
    }
    for (std::size_t index = 0; index <= classes; ++index)
        state_.height_max[index] = blocks_a_share(index);
    state_.shares_left = shares_to_grant;
}

}  // namespace eddy::detail
