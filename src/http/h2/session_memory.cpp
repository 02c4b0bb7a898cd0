#include "http/h2/session_memory.hpp"

#include <eddy/core/detail/frame_cache.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <new>

namespace eddy::http {

namespace {

using eddy::detail::frame_cache;

// The cache wants to know a block's size when it is freed; nghttp2 does not say it.
constexpr std::size_t prefix = alignof(std::max_align_t);
static_assert(prefix >= sizeof(std::size_t));

std::size_t& size_of(void* block) noexcept {
    return *std::launder(reinterpret_cast<std::size_t*>(static_cast<std::byte*>(block) - prefix));
}

void* allocate(std::size_t size, void*) noexcept {
    if (size > std::numeric_limits<std::size_t>::max() - prefix)
        return nullptr;
    try {
        auto* const at = static_cast<std::byte*>(frame_cache::allocate(prefix + size));
        ::new (at) std::size_t(size);
        return at + prefix;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void deallocate(void* block, void*) noexcept {
    if (block != nullptr)
        frame_cache::deallocate(static_cast<std::byte*>(block) - prefix, prefix + size_of(block));
}

void* allocate_zeroed(std::size_t count, std::size_t size, void*) noexcept {
    if (size != 0 && count > std::numeric_limits<std::size_t>::max() / size)
        return nullptr;
    void* const made = allocate(count * size, nullptr);
    if (made != nullptr)
        std::memset(made, 0, count * size);
    return made;
}

void* reallocate(void* block, std::size_t size, void*) noexcept {
    void* const made = allocate(size, nullptr);
    if (made != nullptr && block != nullptr) {
        std::memcpy(made, block, std::min(size, size_of(block)));
        deallocate(block, nullptr);
    }
    return made;
}

}  // namespace

nghttp2_mem session_memory() noexcept {
    return {nullptr, &allocate, &deallocate, &allocate_zeroed, &reallocate};
}

}  // namespace eddy::http
