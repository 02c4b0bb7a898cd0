#pragma once

#include <eddy/http/websocket/detail/frame_header.hpp>
#include <eddy/io/buffer.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace eddy::http {

/// Whole frames that wait to be written, in memory of its own: small ones gather in blocks of 4 KiB from the
/// frame cache, large ones have a block each, or are the string that was moved in. Holds nothing while it is
/// empty.
///
/// As it consists of whole frames, a control frame may come in between any two blocks.
class outbox {
public:
    outbox() noexcept = default;
    outbox(const outbox&) = delete;
    outbox& operator=(const outbox&) = delete;
    ~outbox() { clear(); }

    /// Copies a frame in; masks it if the header has a key. Throws std::bad_alloc; nothing has been added
    /// then.
    void append(const websocket_frame_header& header, std::span<const std::byte> payload) {
        append_behind(last_, header, payload);
    }
    /// The same without a copy if the payload is large.
    void append(const websocket_frame_header& header, std::string payload);
    /// Puts a control frame in front of all blocks that are not being written, if what waits is more than a
    /// few of them.
    void append_urgent(const websocket_frame_header& header, std::span<const std::byte> payload);

    [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
    /// Bytes that wait.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// The bytes to write next, from the front: fills `round`. Returns the number of buffers. They stay
    /// where they are until consume_round().
    [[nodiscard]] std::size_t begin_round(std::span<const_buffer> round) noexcept;
    /// Drops what begin_round() gave, which was written.
    void consume_round() noexcept {
        under_way_ = nullptr;
        consume(std::exchange(round_bytes_, 0));
    }
    /// Drops bytes from the front, which were written otherwise. Requires: there are as many, and no round
    /// has been begun.
    void consume(std::size_t bytes) noexcept;
    void clear() noexcept;

private:
    struct block;

    void append_behind(block* preceding, const websocket_frame_header& header,
                       std::span<const std::byte> payload);
    [[nodiscard]] static block* make_block(std::size_t room);
    static void free_block(block* freed) noexcept;
    void link_behind(block* preceding, block* added) noexcept;

    block* first_ = nullptr;
    block* last_ = nullptr;
    block* under_way_ = nullptr;  // the last of the round
    std::size_t round_bytes_ = 0;
    std::size_t size_ = 0;
};

}  // namespace eddy::http
