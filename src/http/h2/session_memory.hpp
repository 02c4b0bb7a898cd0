#pragma once

#include <cstddef>
#include <nghttp2/nghttp2.h>

namespace eddy::http {

/// The memory of one nghttp2 session: blocks of the thread's frame cache, so that a stream costs no call of malloc().
///
/// nghttp2 may free a block twice once an allocation has failed. So nothing is freed from then on before this is
/// destroyed, and the session is not deleted by nghttp2.
class session_memory {
public:
    session_memory() noexcept = default;
    session_memory(const session_memory&) = delete;
    session_memory& operator=(const session_memory&) = delete;
    /// Frees what is left.
    ~session_memory();

    /// Refers to this.
    [[nodiscard]] nghttp2_mem allocator() noexcept;
    /// Whether an allocation has failed.
    [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }

private:
    struct block_head {
        block_head* previous;
        block_head* next;
        std::size_t size;  // with this; the cache needs it to free the block
    };
    static constexpr std::size_t prefix_bytes = (sizeof(block_head) + alignof(std::max_align_t) - 1) /
                                                alignof(std::max_align_t) * alignof(std::max_align_t);

    [[nodiscard]] static block_head& head_of(void* block) noexcept;
    [[nodiscard]] void* allocate(std::size_t size) noexcept;
    void deallocate(void* block) noexcept;
    [[nodiscard]] void* reallocate(void* block, std::size_t size) noexcept;

    block_head blocks_{&blocks_, &blocks_, 0};
    bool has_failed_ = false;
};

}  // namespace eddy::http
