#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/detail/allocation_window.hpp>

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
    for (std::size_t index = 0; index <= classes; ++index)
        state_.lists[index] = state_.set_aside[index] = &end;
}

void* frame_cache::allocate_slow(std::size_t size) {
#if !EDDY_SANITIZED
    if (const std::size_t index = class_of(size); index <= classes) {
        if (block* const kept = take_set_aside(index))
            return kept;
    }
#endif
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
        trim_request::give();
        return deallocate(at, size);
    }
#endif
    give_to_heap(at);
}

void frame_cache::give_to_heap(void* at) noexcept {
    --state_.taken_from_heap;
    ::operator delete(at);
}

// Null if there is none.
frame_cache::block* frame_cache::take_set_aside(std::size_t index) noexcept {
    block* const first = state_.set_aside[index];
    if (first->next == nullptr)
        return nullptr;
    state_.set_aside[index] = first->next;
    --state_.blocks_set_aside;
    ++state_.height_max[index];
    return first;
}

// Requires: nothing is set aside.
void frame_cache::set_lists_aside() noexcept {
    for (std::size_t index = 0; index <= classes; ++index) {
        block* const first = state_.lists[index];
        if (first->next == nullptr)
            continue;
        state_.set_aside[index] = std::exchange(state_.lists[index], &end_of_open);
        state_.height_max[index] -= static_cast<std::uint32_t>(first->height);
        state_.blocks_set_aside += static_cast<std::int64_t>(first->height);
    }
}

// Each that it has got and does not fill. Requires: nothing of the class is set aside.
void frame_cache::give_up_share(std::size_t index) noexcept {
    const std::uint32_t blocks = blocks_a_share(index);
    const block* const first = state_.lists[index];
    const std::size_t height = first->next == nullptr ? 0 : first->height;
    while (state_.height_max[index] > blocks && state_.height_max[index] - blocks >= height) {
        state_.height_max[index] -= blocks;
        ++state_.shares_left;
    }
}

trim_rest frame_cache::trim_some() noexcept {
    std::size_t blocks_left = blocks_given_back_max;
    for (std::size_t index = 1; index <= classes; ++index) {
        while (block* const kept = take_set_aside(index)) {
            give_to_heap(kept);
            if (--blocks_left == 0)
                return trim_rest::much;
        }
        give_up_share(index);
    }
    if (state_.shares_left == shares_to_grant)
        return trim_rest::little;
    set_lists_aside();
    return trim_rest::some;
}

std::int64_t frame_cache::live_blocks() noexcept {
    std::int64_t live = state_.taken_from_heap - state_.blocks_set_aside;
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
    for (std::size_t index = 0; index <= classes; ++index) {
        while (block* const kept = take_set_aside(index))
            give_to_heap(kept);
        while (block* const next = state_.lists[index]->next)
            give_to_heap(std::exchange(state_.lists[index], next));
        state_.height_max[index] = blocks_a_share(index);
    }
    state_.shares_left = shares_to_grant;
}

}  // namespace eddy::detail
