#pragma once

#include <eddy/base/build.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace eddy::detail {

/// Recycles coroutine frames and other short-lived blocks, one cache a thread: size classes of 64 bytes up to
/// 4 KiB, each keeping at most 128 KiB. A block may be freed on another thread than it came from; it then
/// joins that thread's cache. Under sanitizers every call goes to operator new and delete, so that they see
/// it.
class frame_cache {
public:
    /// Throws std::bad_alloc.
    [[nodiscard]] static void* allocate(std::size_t size);
    /// Requires: `block` came from allocate(size).
    static void deallocate(void* block, std::size_t size) noexcept;

    /// Blocks allocated less blocks freed by this thread. Only the sum over all threads is never negative.
    [[nodiscard]] static std::int64_t live_blocks() noexcept;
    /// Gives what this thread's cache holds back to the heap.
    static void trim() noexcept;

private:
    static constexpr std::size_t granule = 64;
    static constexpr std::size_t classes = 64;
    static constexpr std::size_t bytes_per_class_max = 128 * 1024;

    struct block {
        block* next;
    };
    struct size_class {
        block* first = nullptr;
        std::uint32_t room = 0;
    };
    struct thread_state {
        std::int64_t live = 0;
        bool prepared = false;
        size_class lists[classes + 1]{};
    };
    static constinit thread_local thread_state state_;

    static constexpr std::size_t class_of(std::size_t size) { return (size + granule - 1) / granule; }
    static void* allocate_slow(std::size_t size);
    static void deallocate_slow(void* at, std::size_t size) noexcept;
    static void prepare();
    friend struct frame_cache_guard;
};

inline void* frame_cache::allocate(std::size_t size) {
#if !EDDY_SANITIZED
    if (const std::size_t index = class_of(size); index <= classes) [[likely]] {
        size_class& list = state_.lists[index];
        if (block* first = list.first) [[likely]] {
            list.first = first->next;
            ++list.room;
            ++state_.live;
            return first;
        }
    }
#endif
    return allocate_slow(size);
}

inline void frame_cache::deallocate(void* at, std::size_t size) noexcept {
#if !EDDY_SANITIZED
    if (const std::size_t index = class_of(size); index <= classes) [[likely]] {
        size_class& list = state_.lists[index];
        if (list.room != 0) [[likely]] {
            list.first = ::new (at) block{list.first};
            --list.room;
            --state_.live;
            return;
        }
    }
#endif
    deallocate_slow(at, size);
}

inline std::int64_t frame_cache::live_blocks() noexcept {
    return state_.live;
}

}  // namespace eddy::detail
