#pragma once

#include "http/h2/send_block.hpp"

#include <array>
#include <cstddef>
#include <nghttp2/nghttp2.h>

namespace eddy::http {

/// Where nghttp2 puts a frame together. It is copied from there at once, so all sessions of a worker have one.
struct frame_buffer {
    frame_buffer() noexcept {}

    /// nghttp2 allocates exactly so many bytes for it.
    static constexpr std::size_t size = send_block::frame_bytes_max;
    alignas(std::max_align_t) std::array<std::byte, size> bytes;
};

/// The memory of one nghttp2 session: blocks of the thread's frame cache, so that a stream costs no call of malloc(),
/// and a buffer for frames that it shares with others.
///
/// A session has a chain of buffers in which it puts a frame together. The first is allocated with the session, and is
/// empty once produce() returns; the others, for heads that do not fit, are allocated and freed with the head.
///
/// nghttp2 may free a block twice once an allocation has failed. So nothing is freed from then on before this is
/// destroyed, and the session is not deleted by nghttp2.
class session_memory {
public:
    /// `shared` outlives this.
    explicit session_memory(frame_buffer& shared) noexcept : shared_(shared) {}
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
    [[nodiscard]] std::size_t size_of(void* block) const noexcept;
    [[nodiscard]] void* allocate(std::size_t size) noexcept;
    void deallocate(void* block) noexcept;
    [[nodiscard]] void* reallocate(void* block, std::size_t size) noexcept;

    block_head blocks_{&blocks_, &blocks_, 0};
    frame_buffer& shared_;
    bool uses_shared_ = false;
    bool has_failed_ = false;
};

}  // namespace eddy::http
