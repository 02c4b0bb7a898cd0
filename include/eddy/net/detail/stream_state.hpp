#pragma once

#include <eddy/core/detail/job.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/io/detail/operation.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/detail/descriptor_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace eddy::detail {

/// What a connection keeps where it cannot move, beside what every descriptor_stream does: the pooled receive
/// that may be under way between reads, and the buffers that it has filled.
///
/// Invariants:
/// 1. Bytes are read in the order unread_, received_, the system.
/// 2. The pooled receive stays active between reads while fewer than `buffers_max` buffers wait here. Beyond
///    that it is ended, and begun again by the next read that finds nothing. While the pool's buffers are
///    scarce, all that waits here is copied to unread_ and the receive is ended at once, so that a stream
///    that is not read, or whose leases are held for long, withholds no buffer from the others.
/// 3. While a reader takes large amounts straight into memory (try_read()), the pooled receive ends with each
///    buffer, so that the rest stays with the system until then.
/// 4. After abandon() only the pooled receive refers to the state, which frees itself when that has ended.
class stream_state : public descriptor_stream, public in_frame_cache {
public:
    stream_state(worker_core& home, int descriptor) noexcept;

    /// The end of the owner's interest. Requires: no read or write is under way.
    void abandon() noexcept;
    void close() noexcept;
    /// Releases the descriptor to the caller. Requires: no operation is under way, and no bytes wait here.
    [[nodiscard]] int release() noexcept;

    static constexpr bool is_socket = true;

    // -- reading --

    void require_no_read() const noexcept {
        descriptor_stream::require_no_read();
        if (reader_ != nullptr) [[unlikely]]
            fatal("one read at a time on a stream");
    }
    [[nodiscard]] bool has_bytes() const noexcept { return !received_.empty() || !unread_.empty(); }
    [[nodiscard]] bool has_answer() const noexcept {
        return !received_.empty() || descriptor_stream::has_answer();
    }
    /// Whether the pooled receive is active.
    [[nodiscard]] bool is_receiving() const noexcept { return !receiving_.is_idle(); }
    [[nodiscard]] bool is_deferring_reads() const noexcept { return is_receiving(); }
    /// Makes `reader` ready once there is an answer.
    void wait_for_answer(job& reader) noexcept {
        require_no_read();
        reader_ = &reader;
        if (receiving_.is_idle())
            receive();
    }
    void forget_reader() noexcept { reader_ = nullptr; }
    /// Takes another buffer of what has arrived, if the last one was filled and the backend can do so at
    /// once. Whether there is an answer then. Requires: there is none yet.
    [[nodiscard]] bool receive_at_once() noexcept;
    /// Puts what has arrived straight into `out`, without waiting. Returns the number of bytes. 0: nothing,
    /// the end or an error, or bytes arrive in buffers, which is ended if `out` is large. Requires: no read
    /// is under way.
    [[nodiscard]] std::size_t try_read(std::span<std::byte> out) noexcept;
    [[nodiscard]] bool has_reader() const noexcept { return reader_ != nullptr; }
    /// Requires: has_bytes().
    [[nodiscard]] buffer_lease take_lease() noexcept {
        if (!unread_.empty()) [[unlikely]]
            return std::move(unread_);
        return {buffers_, received_.pop_front(buffers_)};
    }
    /// Copies what is there. Requires: has_answer().
    [[nodiscard]] std::int32_t take_bytes(std::span<std::byte> out) noexcept;
    using descriptor_stream::put_back;
    /// The same for what take_lease() has returned. Requires: nothing else was put back.
    void put_back(buffer_lease lease) noexcept {
        EDDY_ASSERT(unread_.empty(), "what was put back is read before more is");
        unread_ = std::move(lease);
    }

    // -- writing --

    /// Sends what the system takes without waiting. Returns the number of bytes. Requires: no write is under
    /// way.
    [[nodiscard]] std::size_t try_write(std::span<const const_buffer> buffers) noexcept;

    /// Owned bytes are sent without a copy if they are more.
    std::size_t zero_copy_above = std::numeric_limits<std::size_t>::max();
    /// Whether it is worth reading on before the others' turn, and whether the last read is being followed up
    /// so.
    io::speculation more_speculation;
    bool is_followed_up = false;

private:
    ~stream_state() = default;

    static constexpr std::uint32_t buffers_max = 8;
    // What is read at once into memory of so many bytes spares more by not being copied than a receive of its
    // own for each buffer costs.
    static constexpr std::size_t direct_bytes_min = 16'384;
    static constexpr std::uint8_t single_receives = 16;

    static void on_received(io::operation& receiving, const io::completion& outcome) noexcept;
    void receive() noexcept;
    void release_received() noexcept;
    void keep(buffer_lease arrived) noexcept;
    [[nodiscard]] bool copy_out(std::span<const std::byte> arrived) noexcept;
    void accept_outcome(const io::completion& outcome) noexcept;

    io::buffer_pool& buffers_;
    job* reader_ = nullptr;
    bool is_abandoned_ = false;
    bool was_filled_ = false;  // the buffer of the receive that has ended last
    std::uint8_t single_receives_left_ = 0;
    io::buffer_pool::queue received_;
    struct multishot_receive : io::operation {
        explicit multishot_receive(stream_state& stream) noexcept
            : operation(io::opcode::receive_multishot, &on_received), owner(stream) {}
        stream_state& owner;
    };
    multishot_receive receiving_{*this};
};

struct stream_state_end {
    void operator()(stream_state* ended) const noexcept { ended->abandon(); }
};

}  // namespace eddy::detail
