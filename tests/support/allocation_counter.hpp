#pragma once

// Replaces the global operator new of the program that includes this header, in one of its sources (ALONE in
// CMake), and counts its calls. Does not link under clang's ThreadSanitizer. Never inlined, since g++ 12 then
// takes free() for the wrong partner of an operator new that it did not inline.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace eddy::test {

inline std::atomic<std::uint64_t> allocations_made{0};

/// Calls of operator new so far, by all threads.
inline std::uint64_t allocations() noexcept {
    return allocations_made.load(std::memory_order_relaxed);
}

}  // namespace eddy::test

[[gnu::noinline]] void* operator new(std::size_t size) {
    eddy::test::allocations_made.fetch_add(1, std::memory_order_relaxed);
    if (void* const made = std::malloc(size != 0 ? size : 1))
        return made;
    throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
    eddy::test::allocations_made.fetch_add(1, std::memory_order_relaxed);
    const auto align = static_cast<std::size_t>(alignment);
    if (void* const made = std::aligned_alloc(align, (size + align - 1) / align * align))
        return made;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* at) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::size_t) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::align_val_t) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::size_t, std::align_val_t) noexcept {
    std::free(at);
}
