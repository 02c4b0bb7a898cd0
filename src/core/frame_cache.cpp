#include <eddy/core/frame_cache.hpp>

namespace eddy::detail {

constinit thread_local frame_cache::thread_state frame_cache::state_;

/// Empties the cache when its thread ends.
struct frame_cache_guard {
    ~frame_cache_guard() {
        frame_cache::trim();
        // What is freed after this point, by destructors of other thread-local objects, goes to the heap.
        for (auto& list : frame_cache::state_.lists)
            list.room = 0;
    }
};

void frame_cache::prepare() {
    static thread_local frame_cache_guard guard;
    static_cast<void>(guard);
    state_.prepared = true;
    for (std::size_t index = 1; index <= classes; ++index)
        state_.lists[index].room = static_cast<std::uint32_t>(bytes_per_class_max / (index * granule));
}

void* frame_cache::allocate_slow(std::size_t size) {
#if !EDDY_SANITIZED
    if (!state_.prepared) [[unlikely]]
        prepare();
    // A whole number of granules, so that any block of a class serves the class.
    void* at = ::operator new(class_of(size) <= classes ? class_of(size) * granule : size);
#else
    void* at = ::operator new(size);
#endif
    ++state_.live;
    return at;
}

void frame_cache::deallocate_slow(void* at, std::size_t) noexcept {
    --state_.live;
    ::operator delete(at);
}

void frame_cache::trim() noexcept {
    for (auto& list : state_.lists) {
        while (block* first = list.first) {
            list.first = first->next;
            ++list.room;
            ::operator delete(first);
        }
    }
}

}  // namespace eddy::detail
