#pragma once

#include <eddy/core/detail/job.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/runtime/worker.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace eddy::detail {

/// What a stream keeps where it cannot move: its descriptor, the pooled receive that may be under way
/// between reads, and bytes that have arrived but were not read.
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
class stream_state {
public:
    static void* operator new(std::size_t size) { return frame_cache::allocate(size); }
    static void operator delete(void* at, std::size_t size) noexcept { frame_cache::deallocate(at, size); }

    stream_state(worker& home, int descriptor) noexcept;
    stream_state(const stream_state&) = delete;
    stream_state& operator=(const stream_state&) = delete;

    /// The end of the owner's interest. Requires: no read or write is under way.
    void abandon() noexcept;
    void close() noexcept;
    /// Releases the descriptor to the caller. Requires: no operation is under way, and no bytes wait here.
    [[nodiscard]] int release() noexcept;

    [[nodiscard]] io::backend& backend() const noexcept { return home_.backend(); }
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

    // -- what every build checks, as it costs next to nothing; else the program ends with a message --

    void require_home() const noexcept { worker::require_current(&home_); }
    void require_no_read() const noexcept {
        if (reader_ != nullptr || reading != nullptr) [[unlikely]]
            fatal("one read at a time on a stream");
    }
    void require_no_write() const noexcept {
        if (writing != nullptr) [[unlikely]]
            fatal("one write at a time on a stream");
    }

    // -- reading --

    [[nodiscard]] bool has_bytes() const noexcept { return !received_.empty() || !unread_.empty(); }
    /// Whether a read can be answered without waiting: with bytes, the end or an error.
    [[nodiscard]] bool has_answer() const noexcept { return has_bytes() || end_ != still_open; }
    /// What a read finds when there are no bytes: 0 at the end, else an error. A wait that was interrupted
    /// finds -ECANCELED.
    [[nodiscard]] std::int32_t answer_without_bytes() const noexcept;
    /// Whether the pooled receive is active.
    [[nodiscard]] bool is_receiving() const noexcept { return !receiving_.is_idle(); }
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
    /// Keeps bytes for the next read. Requires: nothing was received after them.
    void put_back(std::span<const std::byte> bytes) noexcept;
    /// The same for what take_lease() has returned. Requires: nothing else was put back.
    void put_back(buffer_lease lease) noexcept {
        EDDY_ASSERT(unread_.empty(), "what was put back is read before more is");
        unread_ = std::move(lease);
    }
    /// Keeps the end or the error that a read met.
    void note_end(std::int32_t result) noexcept { end_ = result; }

    // -- writing --

    /// Sends what the system takes without waiting. Returns the number of bytes. Requires: no write is under
    /// way.
    [[nodiscard]] std::size_t try_write(std::span<const const_buffer> buffers) noexcept;

    /// The operations into borrowed memory, for close() to end. At most one each.
    io::operation* reading = nullptr;
    io::operation* writing = nullptr;
    /// Owned bytes are sent without a copy if they are more.
    std::size_t zero_copy_above = std::numeric_limits<std::size_t>::max();
    /// Whether it is worth trying to read, or write, at once.
    io::speculation read_speculation;
    io::speculation write_speculation;
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
    static constexpr std::int32_t still_open = 1;

    static void on_received(io::operation& receiving, const io::completion& outcome) noexcept;
    void receive() noexcept;
    void release_received() noexcept;
    void keep(buffer_lease arrived) noexcept;
    [[nodiscard]] bool copy_out(std::span<const std::byte> arrived) noexcept;
    void accept_outcome(const io::completion& outcome) noexcept;

    worker& home_;
    io::buffer_pool& buffers_;
    int descriptor_;
    std::int32_t end_ = still_open;  // 0: the peer has sent its last byte; negative: an error
    job* reader_ = nullptr;
    bool is_abandoned_ = false;
    bool was_filled_ = false;  // the buffer of the receive that has ended last
    std::uint8_t single_receives_left_ = 0;
    io::buffer_pool::queue received_;
    buffer_lease unread_;
    struct multishot_receive : io::operation {
        explicit multishot_receive(stream_state& stream) noexcept
            : operation(io::opcode::receive_multishot, &on_received), owner(stream) {}
        stream_state& owner;
    };
    multishot_receive receiving_{*this};
};

}  // namespace eddy::detail
