#pragma once

#include <eddy/detail/build.hpp>
#include <eddy/detail/cached_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace eddy::detail {

/// Recycles coroutine frames and other short-lived blocks, one cache a thread: size classes of 64 bytes up to
/// 4 KiB. Each class keeps 16 KiB; classes with more free blocks share another 16 MiB, first come, first
/// served. Once some of that is used, a worker frees what it has not needed for seconds. A block may be freed
/// on another thread than it came from; it then joins that thread's cache. Under sanitizers every call goes
/// to operator new and delete, so that they see it.
class frame_cache {
public:
    /// Throws std::bad_alloc.
    [[nodiscard]] static void* allocate(std::size_t size);
    /// Requires: `block` came from allocate(size).
    static void deallocate(void* block, std::size_t size) noexcept;

    /// Blocks allocated less blocks freed by this thread. Only the sum over all threads is never negative.
    [[nodiscard]] static std::int64_t live_blocks() noexcept;
    /// Returns what this thread's cache holds to the heap.
    static void trim() noexcept;
    /// Frees some of the blocks that were not needed since the cache was last found to hold much.
    [[nodiscard]] static trim_rest trim_some() noexcept;
    /// Switches this thread's cache off or on again: while it is off every block comes from the heap and goes
    /// back there, and allocate() calls the allocation_window. For tools that test.
    static void bypass(bool is_bypassed);

private:
    static constexpr std::size_t granule = 64;
    static constexpr std::size_t classes = 64;
    static constexpr std::size_t share = 16 * 1024;  // of the memory that may be kept
    static constexpr std::uint32_t shares_to_grant = 1024;
    static constexpr std::size_t blocks_given_back_max = 256;  // at a time

    // A free block. Each holds the number of blocks below it, which bounds the list and counts it, without a
    // counter that every call would have to change.
    struct block {
        block* next;  // null for what a list ends with
        std::size_t height;
    };
    // What a list ends with: while the cache is in use, and before and after that, when it takes no block.
    static constexpr std::size_t height_of_closed = ~std::size_t{0} / 2;
    static constinit block end_of_open;
    static constinit block end_of_closed;

    struct thread_state {
        constexpr thread_state() noexcept {
            for (std::size_t index = 0; index <= classes; ++index) {
                lists[index] = set_aside[index] = &end_of_closed;
                height_max[index] = blocks_a_share(index);
            }
        }
        bool was_opened = false;
        std::uint32_t shares_left = shares_to_grant;
        std::int64_t taken_from_heap = 0;  // blocks, less those returned to it
        block* lists[classes + 1];
        std::uint32_t height_max[classes + 1];
        // What had not been needed when they were found to be much: used when the lists are empty. Counts as
        // kept, so the lists may be that much lower meanwhile.
        block* set_aside[classes + 1];
        std::int64_t blocks_set_aside = 0;
    };
    static constinit thread_local thread_state state_;

    static constexpr std::size_t class_of(std::size_t size) { return (size + granule - 1) / granule; }
    static constexpr std::uint32_t blocks_a_share(std::size_t index) {
        return index == 0 ? 0 : static_cast<std::uint32_t>(share / (index * granule));
    }
    static void* allocate_slow(std::size_t size);
    static void deallocate_slow(void* at, std::size_t size) noexcept;
    [[nodiscard]] static block* take_set_aside(std::size_t index) noexcept;
    static void set_lists_aside() noexcept;
    static void give_up_share(std::size_t index) noexcept;
    static void give_to_heap(void* at) noexcept;
    static void open();
    static void end_lists_with(block& end) noexcept;
    friend struct frame_cache_guard;
};

inline void* frame_cache::allocate(std::size_t size) {
#if !EDDY_SANITIZED
    if (const std::size_t index = class_of(size); index <= classes) [[likely]] {
        block* const first = state_.lists[index];
        if (block* const next = first->next) [[likely]] {
            state_.lists[index] = next;
            return first;
        }
    }
#endif
    return allocate_slow(size);
}

inline void frame_cache::deallocate(void* at, [[maybe_unused]] std::size_t size) noexcept {
#if !EDDY_SANITIZED
    if (const std::size_t index = class_of(size); index <= classes) [[likely]] {
        block* const first = state_.lists[index];
        const std::size_t height = first->height + 1;
        if (height <= state_.height_max[index]) [[likely]] {
            state_.lists[index] = ::new (at) block{first, height};
            return;
        }
    }
#endif
    deallocate_slow(at, size);
}

/// A base of what is allocated there by `new`, coroutine frames by their promises among them.
class in_frame_cache {
public:
    static void* operator new(std::size_t size) { return frame_cache::allocate(size); }
    static void operator delete(void* at, std::size_t size) noexcept { frame_cache::deallocate(at, size); }

protected:
    in_frame_cache() = default;
    ~in_frame_cache() = default;
};

}  // namespace eddy::detail
