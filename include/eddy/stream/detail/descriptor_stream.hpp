#pragma once

#include <eddy/io/buffer_pool.hpp>
#include <eddy/io/detail/operation.hpp>
#include <eddy/io/detail/speculation.hpp>
#include <eddy/runtime/detail/worker_descriptor.hpp>
#include <eddy/stream/detail/splice_end.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace eddy::detail {

/// What every stream of bytes over a descriptor keeps where it cannot move: the read and the write under way, and
/// bytes that were received but not read.
class descriptor_stream : public worker_descriptor {
public:
    // -- what every build checks, as it costs next to nothing; else the program ends with a message --

    void require_no_read() const noexcept {
        if (reading != nullptr) [[unlikely]]
            fatal("one read at a time on a stream");
    }
    void require_no_write() const noexcept {
        if (writing != nullptr) [[unlikely]]
            fatal("one write at a time on a stream");
    }

    /// Whether a read can be answered without waiting: with bytes, the end or an error.
    [[nodiscard]] bool has_answer() const noexcept { return !unread_.empty() || end_ != still_open; }
    /// What a read finds when there are no bytes: 0 at the end, else an error. A wait that was interrupted
    /// finds -ECANCELED.
    [[nodiscard]] std::int32_t answer_without_bytes() const noexcept;
    /// Copies what is there. Requires: has_answer().
    [[nodiscard]] std::int32_t take_bytes(std::span<std::byte> out) noexcept;
    [[nodiscard]] std::span<const std::byte> unread() const noexcept { return unread_.bytes(); }
    /// Requires: so many are unread.
    void skip(std::size_t count) noexcept;
    /// Keeps bytes in front of all others for the next read.
    void put_back(std::span<const std::byte> bytes) noexcept;
    /// Keeps the end or the error that a read met.
    void note_end(std::int32_t result) noexcept { end_ = result; }

    [[nodiscard]] splice_end source_end() noexcept { return {backend(), descriptor(), &reading}; }
    [[nodiscard]] splice_end sink_end() noexcept { return {backend(), descriptor(), &writing}; }

    /// The operations into borrowed memory, for close() to end. At most one each.
    io::operation* reading = nullptr;
    io::operation* writing = nullptr;
    /// Whether it is worth trying to read, or write, at once.
    io::speculation read_speculation;
    io::speculation write_speculation;

protected:
    static constexpr std::int32_t still_open = 1;

    using worker_descriptor::worker_descriptor;
    ~descriptor_stream() = default;

    /// What is under way ends with operation_canceled. Requires: is_open().
    void close_stream() noexcept;

    std::int32_t end_ = still_open;  // 0: the peer has sent its last byte; negative: an error
    buffer_lease unread_;
};

}  // namespace eddy::detail
