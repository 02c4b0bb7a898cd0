#pragma once

#include <eddy/detail/assert.hpp>
#include <eddy/detail/cached_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace eddy::io {

/// The receive buffers of one worker: all of one size, made in chunks as they are needed up to a maximum,
/// never moved; all but the first are freed gradually when they are not needed. A connection that waits for
/// data holds none; bytes that have arrived sit in buffers until their lease is dropped. What a buffer holds
/// and which buffer follows it in a queue is kept beside the buffers, so that queueing received data
/// allocates nothing.
///
/// Thread safety: none; belongs to its worker.
class buffer_pool : public detail::trimmable_cache {
public:
    /// The number of a buffer.
    using index = std::uint32_t;
    /// No buffer.
    static constexpr index none = ~index{0};
    /// The size of a page on most systems.
    static constexpr std::size_t usual_page_bytes = 4096;

    /// `alignment`, a power of two, is that of the chunks: that of a page, if that is known.
    buffer_pool(std::size_t buffer_size, std::size_t buffers_max, std::size_t alignment = usual_page_bytes);
    buffer_pool(const buffer_pool&) = delete;
    buffer_pool& operator=(const buffer_pool&) = delete;
    virtual ~buffer_pool() = default;

    /// Returns a buffer to those that are filled next.
    virtual void release(index buffer) noexcept = 0;

    /// The size of each buffer, in bytes.
    [[nodiscard]] std::size_t buffer_size() const noexcept { return buffer_size_; }
    /// The most buffers that it may have.
    [[nodiscard]] std::size_t buffers_max() const noexcept { return buffers_max_; }
    /// How many of the buffers that exist wait to be filled.
    [[nodiscard]] virtual std::size_t available() const noexcept = 0;
    /// Whether there can be no more buffers and few are left: received bytes should then be copied out, so
    /// that they do not block other receivers.
    [[nodiscard]] bool is_scarce() const noexcept {
        return buffers() == buffers_max_ && available() < std::max<std::size_t>(buffers_max_ / 4, 1);
    }
    /// How many buffers exist.
    [[nodiscard]] std::size_t buffers() const noexcept { return slots_.size(); }

    /// Where a buffer begins.
    [[nodiscard]] std::byte* data(index buffer) const noexcept {
        return chunks_[buffer / chunk_buffers].get() + (buffer % chunk_buffers) * buffer_size_;
    }

    /// A queue of filled buffers, linked through the pool.
    class queue {
    public:
        queue() noexcept = default;
        /// Whether there is nothing in it.
        [[nodiscard]] bool empty() const noexcept { return first_ == none; }
        /// The number of bytes.
        [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

        /// Adds the bytes from `begin` to `end` of a buffer, which it takes over, at the end.
        void push_back(buffer_pool& pool, index buffer, std::uint32_t begin, std::uint32_t end) noexcept {
            pool.slots_[buffer] = slot{none, begin, end};
            (empty() ? first_ : pool.slots_[last_].next) = buffer;
            last_ = buffer;
            ++size_;
        }
        /// The same in front.
        void push_front(buffer_pool& pool, index buffer, std::uint32_t begin, std::uint32_t end) noexcept {
            pool.slots_[buffer] = slot{first_, begin, end};
            if (empty())
                last_ = buffer;
            first_ = buffer;
            ++size_;
        }
        /// A part of a buffer.
        struct filled {
            /// The buffer.
            index buffer;
            std::uint32_t begin;
            std::uint32_t end;
        };
        /// Requires: !empty().
        filled pop_front(buffer_pool& pool) noexcept {
            const slot& front = pool.slots_[first_];
            const filled taken{first_, front.begin, front.end};
            first_ = front.next;
            --size_;
            return taken;
        }

    private:
        index first_ = none;
        index last_ = none;
        std::uint32_t size_ = 0;
    };

    [[nodiscard]] detail::trim_rest trim_some() noexcept final;

protected:
    static constexpr std::size_t chunk_buffers = 64;

    /// Lowers the maximum. Requires: no buffers exist.
    void limit_buffers(std::size_t buffers_max) noexcept {
        buffers_max_ = std::min(buffers_max_, buffers_max);
    }
    /// Makes another chunk and returns the index of its first buffer, or none when the maximum is reached or
    /// memory is out.
    [[nodiscard]] index grow() noexcept;
    /// Called whenever a buffer is taken, with the number of those left.
    void note_left(std::size_t available) noexcept {
        if (available < available_min_)
            available_min_ = available;
    }

    /// Removes the buffers from this index on from the free ones, unless one of them is in use or that cannot
    /// be determined now. Returns whether they were removed: they may then be freed.
    [[nodiscard]] virtual bool withdraw_from(index first) noexcept = 0;
    /// Called at each trim: so many buffers have been free since the last one.
    virtual void note_unneeded(std::size_t buffers) noexcept { static_cast<void>(buffers); }

private:
    friend class queue;
    struct slot {
        index next = none;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };
    struct free_chunk {
        std::size_t alignment;
        void operator()(std::byte* chunk) const noexcept;
    };

    std::size_t buffer_size_;
    std::size_t buffers_max_;
    std::size_t alignment_;
    std::vector<std::unique_ptr<std::byte, free_chunk>> chunks_;
    std::vector<slot> slots_;
    std::size_t available_min_ = 0;  // since the last look
};

}  // namespace eddy::io

namespace eddy {

/// Received bytes, in a buffer of the worker's pool. Dropping the lease returns the buffer.
///
/// - Ownership: moves, does not copy. Drop it soon: a worker has a limited number of buffers.
/// - Thread safety: none; it is dropped on the worker on which it was received, before the runtime ends.
class buffer_lease {
public:
    buffer_lease() noexcept = default;
    buffer_lease(io::buffer_pool& pool, const io::buffer_pool::queue::filled& filled) noexcept
        : pool_(&pool),
          memory_(pool.data(filled.buffer)),
          buffer_(filled.buffer),
          begin_(filled.begin),
          end_(filled.end) {}
    /// Bytes that came another way than through the pool, in memory of their own.
    buffer_lease(std::unique_ptr<std::byte[]> memory, std::uint32_t begin, std::uint32_t end) noexcept
        : memory_(memory.release()), begin_(begin), end_(end) {}
    buffer_lease(buffer_lease&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)),
          memory_(std::exchange(other.memory_, nullptr)),
          buffer_(other.buffer_),
          begin_(std::exchange(other.begin_, 0)),
          end_(std::exchange(other.end_, 0)) {}
    buffer_lease& operator=(buffer_lease&& other) noexcept {
        if (this != &other) {
            std::destroy_at(this);
            std::construct_at(this, std::move(other));
        }
        return *this;
    }
    ~buffer_lease() {
        if (pool_ != nullptr)
            pool_->release(buffer_);
        else
            delete[] memory_;
    }

    /// The bytes, valid while the lease exists.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {memory_ + begin_, size()}; }
    /// The number of bytes.
    [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
    /// Whether there are none, as at the end of a stream.
    [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }

    /// Leaves out the first `count` bytes. Requires: count <= size().
    void remove_prefix(std::size_t count) noexcept {
        EDDY_ASSERT(count <= size(), "a lease has no more bytes than its size");
        begin_ += static_cast<std::uint32_t>(count);
    }

    /// For code that queues the buffer again: releases it. Requires: it is a buffer of a pool.
    [[nodiscard]] io::buffer_pool::queue::filled release() noexcept {
        pool_ = nullptr;
        memory_ = nullptr;
        return {buffer_, std::exchange(begin_, 0), std::exchange(end_, 0)};
    }

private:
    io::buffer_pool* pool_ = nullptr;  // null: memory_ is the lease's own, or there is none
    std::byte* memory_ = nullptr;
    io::buffer_pool::index buffer_ = 0;
    std::uint32_t begin_ = 0;
    std::uint32_t end_ = 0;
};

}  // namespace eddy
