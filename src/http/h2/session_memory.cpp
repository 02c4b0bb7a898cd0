#include "http/h2/session_memory.hpp"

#include <eddy/core/detail/frame_cache.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace eddy::http {

using eddy::detail::frame_cache;

session_memory::~session_memory() {
    for (block_head* at = blocks_.next; at != &blocks_;) {
        block_head* const freed = at;
        at = at->next;
        frame_cache::deallocate(freed, freed->size);
    }
}

session_memory::block_head& session_memory::head_of(void* block) noexcept {
    return *std::launder(reinterpret_cast<block_head*>(static_cast<std::byte*>(block) - prefix_bytes));
}

std::size_t session_memory::size_of(void* block) const noexcept {
    return block == shared_.bytes.data() ? frame_buffer::size : head_of(block).size - prefix_bytes;
}

void* session_memory::allocate(std::size_t size) noexcept {
    if (size == frame_buffer::size && !uses_shared_) {
        uses_shared_ = true;
        return shared_.bytes.data();
    }
    try {
        if (size > std::numeric_limits<std::size_t>::max() - prefix_bytes)
            throw std::bad_alloc();
        void* const at = frame_cache::allocate(prefix_bytes + size);
        auto* const head = ::new (at) block_head{&blocks_, blocks_.next, prefix_bytes + size};
        head->next->previous = head;
        blocks_.next = head;
        return static_cast<std::byte*>(at) + prefix_bytes;
    } catch (const std::bad_alloc&) {
        has_failed_ = true;
        return nullptr;
    }
}

void session_memory::deallocate(void* block) noexcept {
    if (block == nullptr || has_failed_)
        return;
    if (block == shared_.bytes.data()) {
        uses_shared_ = false;
        return;
    }
    block_head& head = head_of(block);
    head.previous->next = head.next;
    head.next->previous = head.previous;
    frame_cache::deallocate(&head, head.size);
}

void* session_memory::reallocate(void* block, std::size_t size) noexcept {
    void* const made = allocate(size);
    if (made != nullptr && block != nullptr) {
        std::memcpy(made, block, std::min(size, size_of(block)));
        deallocate(block);
    }
    return made;
}

nghttp2_mem session_memory::allocator() noexcept {
    return {this,
            [](std::size_t size, void* self) noexcept {
                return static_cast<session_memory*>(self)->allocate(size);
            },
            [](void* block, void* self) noexcept { static_cast<session_memory*>(self)->deallocate(block); },
            [](std::size_t count, std::size_t size, void* self) noexcept {
                const bool is_too_much = size != 0 && count > std::numeric_limits<std::size_t>::max() / size;
                const std::size_t bytes =
                    is_too_much ? std::numeric_limits<std::size_t>::max() : count * size;
                void* const made = static_cast<session_memory*>(self)->allocate(bytes);
                if (made != nullptr)
                    std::memset(made, 0, bytes);
                return made;
            },
            [](void* block, std::size_t size, void* self) noexcept {
                return static_cast<session_memory*>(self)->reallocate(block, size);
            }};
}

}  // namespace eddy::http
