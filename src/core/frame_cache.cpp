#include <eddy/core/frame_cache.hpp>

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
        frame_cache::close();
    }
};

void frame_cache::open() {
    static thread_local frame_cache_guard guard;
    static_cast<void>(guard);
    for (block*& list : state_.lists)
        list = &end_of_open;
}

// Requires: the lists are empty.
void frame_cache::close() noexcept {
    for (block*& list : state_.lists)
        list = &end_of_closed;
}

void* frame_cache::allocate_slow(std::size_t size) {
#if !EDDY_SANITIZED
    static thread_local bool was_opened = false;
    if (!was_opened) {
        was_opened = true;
        open();
    }
    // A whole number of granules, so that any block of a class serves the class.
    void* const at = ::operator new(class_of(size) <= classes ? class_of(size) * granule : size);
#else
    void* const at = ::operator new(size);
#endif
    ++state_.taken_from_heap;
    return at;
}

void frame_cache::deallocate_slow(void* at) noexcept {
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

void frame_cache::trim() noexcept {
    for (block*& list : state_.lists) {
        while (block* const next = list->next)
            deallocate_slow(std::exchange(list, next));
    }
}

}  // namespace eddy::detail
