#include "http/websocket/outbox.hpp"

#include <eddy/core/detail/frame_cache.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

namespace eddy::http {

namespace {

constexpr std::size_t block_bytes = 4096;
// A frame of which more than this does not fit any more goes to a block of its own, so that at most this
// much of a block is wasted.
constexpr std::size_t gathered_bytes_max = 1024;
// A payload that is moved in is not copied from this size on.
constexpr std::size_t moved_bytes_min = 4096;
// One round writes no more, so that a large message shows progress.
constexpr std::size_t round_bytes_max = 256 * 1024;
// Control frames overtake what waits if it is more than this.
constexpr std::size_t overtaken_bytes_min = 64 * 1024;

using header_room = std::array<std::byte, websocket_frame_header::size_max>;

}  // namespace

struct outbox::block {
    block* next = nullptr;
    std::size_t room;
    std::size_t size = 0;      // bytes behind the block
    std::size_t consumed = 0;  // of bytes and tail
    std::string tail;          // follows the bytes

    explicit block(std::size_t bytes) noexcept : room(bytes) {}
    [[nodiscard]] std::byte* bytes() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
    [[nodiscard]] std::size_t left() const noexcept { return size + tail.size() - consumed; }
};

outbox::block* outbox::make_block(std::size_t room) {
    return ::new (eddy::detail::frame_cache::allocate(sizeof(block) + room)) block(room);
}

void outbox::free_block(block* freed) noexcept {
    const std::size_t size = sizeof(block) + freed->room;
    freed->~block();
    eddy::detail::frame_cache::deallocate(freed, size);
}

void outbox::link_behind(block* preceding, block* added) noexcept {
    block*& link = preceding != nullptr ? preceding->next : first_;
    added->next = std::exchange(link, added);
    if (last_ == preceding)
        last_ = added;
}

void outbox::append_behind(block* preceding, const websocket_frame_header& header,
                           std::span<const std::byte> payload) {
    header_room head;
    const std::size_t head_size = write_frame_header(header, head);
    const std::size_t size = head_size + payload.size();
    const bool fits =
        preceding != nullptr && preceding->tail.empty() && size <= preceding->room - preceding->size;
    if (!fits) {
        constexpr std::size_t usual = block_bytes - sizeof(block);
        block* const added = make_block(size > gathered_bytes_max ? size : usual);
        link_behind(preceding, added);
        preceding = added;
    }
    std::byte* const to = preceding->bytes() + preceding->size;
    std::memcpy(to, head.data(), head_size);
    if (header.is_masked())
        copy_masked(payload, to + head_size, header.key(), 0);
    else if (!payload.empty())
        std::memcpy(to + head_size, payload.data(), payload.size());
    preceding->size += size;
    size_ += size;
}

void outbox::append(const websocket_frame_header& header, std::string payload) {
    if (payload.size() < moved_bytes_min)
        return append(header, as_bytes(payload));
    block* const added = make_block(websocket_frame_header::size_max);
    if (header.is_masked())
        apply_mask(std::as_writable_bytes(std::span(payload)), header.key(), 0);
    added->tail = std::move(payload);
    header_room head;
    added->size = write_frame_header(header, head);
    std::memcpy(added->bytes(), head.data(), added->size);
    size_ += added->left();
    link_behind(last_, added);
}

void outbox::append_urgent(const websocket_frame_header& header, std::span<const std::byte> payload) {
    if (size_ <= overtaken_bytes_min)
        return append(header, payload);
    // What has been begun is finished first.
    block* preceding = under_way_;
    if (preceding == nullptr && first_->consumed != 0)
        preceding = first_;
    if (preceding != nullptr) {
        append_behind(preceding, header, payload);
        return;
    }
    block* const added = make_block(block_bytes - sizeof(block));
    link_behind(nullptr, added);
    append_behind(added, header, payload);
}

std::size_t outbox::begin_round(std::span<const_buffer> round) noexcept {
    std::size_t count = 0;
    round_bytes_ = 0;
    for (block* at = first_; at != nullptr; at = at->next) {
        const const_buffer parts[] = {const_buffer(at->bytes(), at->size),
                                      const_buffer(std::string_view(at->tail))};
        std::size_t skipped = at->consumed;
        for (const const_buffer& part : parts) {
            const std::size_t left = part.size() - std::min(skipped, part.size());
            skipped -= part.size() - left;
            if (left == 0)
                continue;
            const std::size_t taken = std::min(left, round_bytes_max - round_bytes_);
            round[count++] =
                const_buffer(static_cast<const std::byte*>(part.data()) + (part.size() - left), taken);
            round_bytes_ += taken;
            under_way_ = at;
            if (count == round.size() || round_bytes_ == round_bytes_max)
                return count;
        }
    }
    return count;
}

void outbox::consume(std::size_t bytes) noexcept {
    size_ -= bytes;
    while (bytes != 0) {
        const std::size_t taken = std::min(bytes, first_->left());
        first_->consumed += taken;
        bytes -= taken;
        if (first_->left() != 0)
            return;
        block* const done = first_;
        first_ = done->next;
        if (first_ == nullptr)
            last_ = nullptr;
        free_block(done);
    }
}

void outbox::clear() noexcept {
    while (first_ != nullptr)
        free_block(std::exchange(first_, first_->next));
    last_ = nullptr;
    under_way_ = nullptr;
    round_bytes_ = 0;
    size_ = 0;
}

}  // namespace eddy::http
