#pragma once

// Replaces the global operator new and delete of the program that includes this header, which must be done in
// exactly one of its sources: fail_allocation_everywhere() then fails what is allocated by them, too, on the
// thread that calls it and while the scenario runs. Everywhere else they are malloc() and free().
//
// Under ThreadSanitizer, with which a replaced operator new does not link, including it changes nothing:
// coroutine frames and jobs can fail there, other memory cannot. eddy::testing::replaces_new says which.

#include <eddy/detail/allocation_window.hpp>
#include <eddy/detail/build.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace eddy::testing {

/// Whether this program's operator new is the one of this header.
inline constexpr bool replaces_new = EDDY_THREAD_SANITIZED == 0;

}  // namespace eddy::testing

#if !EDDY_THREAD_SANITIZED

namespace eddy::testing::replacing {

// Before main(), so that no block is counted twice.
inline const bool new_is_replaced = eddy::detail::allocation_window::note_replaced_new();

/// Allocates, unless this allocation is to fail: then null.
inline void* allocate(std::size_t size) noexcept {
    if (eddy::detail::allocation_window::must_fail()) [[unlikely]]
        return nullptr;
    return std::malloc(size != 0 ? size : 1);
}

inline void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
    if (eddy::detail::allocation_window::must_fail()) [[unlikely]]
        return nullptr;
    const auto align = static_cast<std::size_t>(alignment);
    return std::aligned_alloc(align, (size + align - 1) / align * align);
}

/// What was allocated; throws std::bad_alloc if that is null.
inline void* or_throw(void* made) {
    if (made == nullptr)
        throw std::bad_alloc();
    return made;
}

}  // namespace eddy::testing::replacing

// Never inlined, since g++ 12 then takes free() for the wrong partner of an operator new that it did not
// inline. Those that are missing here call these by the rules of the language, but a sanitizer's own do not,
// so all are here.

/// Replaces that of the program, so that fail_allocation_everywhere() can make it fail.
[[gnu::noinline]] void* operator new(std::size_t size) {
    return eddy::testing::replacing::or_throw(eddy::testing::replacing::allocate(size));
}
/// The same for arrays.
[[gnu::noinline]] void* operator new[](std::size_t size) {
    return eddy::testing::replacing::or_throw(eddy::testing::replacing::allocate(size));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
    return eddy::testing::replacing::or_throw(eddy::testing::replacing::allocate(size, alignment));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment) {
    return eddy::testing::replacing::or_throw(eddy::testing::replacing::allocate(size, alignment));
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return eddy::testing::replacing::allocate(size);
}
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return eddy::testing::replacing::allocate(size);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment,
                                     const std::nothrow_t&) noexcept {
    return eddy::testing::replacing::allocate(size, alignment);
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment,
                                       const std::nothrow_t&) noexcept {
    return eddy::testing::replacing::allocate(size, alignment);
}

/// Frees what it has allocated.
[[gnu::noinline]] void operator delete(void* at) noexcept {
    std::free(at);
}
/// The same for arrays.
[[gnu::noinline]] void operator delete[](void* at) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::size_t) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete[](void* at, std::size_t) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::align_val_t) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete[](void* at, std::align_val_t) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::size_t, std::align_val_t) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete[](void* at, std::size_t, std::align_val_t) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, const std::nothrow_t&) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete[](void* at, const std::nothrow_t&) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete(void* at, std::align_val_t, const std::nothrow_t&) noexcept {
    std::free(at);
}
[[gnu::noinline]] void operator delete[](void* at, std::align_val_t, const std::nothrow_t&) noexcept {
    std::free(at);
}

#endif
