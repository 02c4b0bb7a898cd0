#include <eddy/detail/assert.hpp>
#include <eddy/stream/detail/byte_channel.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace eddy::detail {

byte_channel::byte_channel(std::size_t capacity)
    : ring_(std::make_unique_for_overwrite<std::byte[]>(capacity)), capacity_(capacity) {
    EDDY_ASSERT(capacity != 0, "a pipe has room for at least one byte");
}

bool byte_channel::has_answer() noexcept {
    const std::lock_guard guard(lock_);
    return has_answer_locked();
}

void byte_channel::wait_to_read(waiter& reader) noexcept {
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    EDDY_ASSERT(reader_.empty(), "one read at a time on a stream");
    reader.wait_in(reader_);
    if (has_answer_locked())
        release_first(reader_, wakes);
}

std::expected<std::size_t, std::error_code> byte_channel::take(std::span<std::byte> out) noexcept {
    if (out.empty())
        return 0;
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    if (is_refused_)
        return std::unexpected(std::make_error_code(std::errc::operation_canceled));
    const std::size_t count = std::min(size_, out.size());
    if (count == 0 && !is_ended_)
        return std::unexpected(std::make_error_code(std::errc::operation_canceled));
    const std::size_t unbroken = std::min(count, capacity_ - first_);
    std::copy_n(ring_.get() + first_, unbroken, out.data());
    std::copy_n(ring_.get(), count - unbroken, out.data() + unbroken);
    first_ = (first_ + count) % capacity_;
    size_ -= count;
    if (count != 0)
        feed_from_writer(wakes);
    return count;
}

void byte_channel::refuse() noexcept {
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    is_refused_ = true;
    size_ = 0;
    release_first(reader_, wakes);
    feed_from_writer(wakes);
}

bool byte_channel::try_write(channel_write& write) noexcept {
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    return advance(write, wakes);
}

void byte_channel::wait_to_write(channel_write& write) noexcept {
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    EDDY_ASSERT(writer_.empty(), "one write at a time on a stream");
    write.waiter_.wait_in(writer_);
    writing_ = &write;
    feed_from_writer(wakes);
}

void byte_channel::end() noexcept {
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    is_ended_ = true;
    release_first(reader_, wakes);
    release_first(writer_, wakes);
}

bool byte_channel::is_pending(const waiter& waits) noexcept {
    const std::lock_guard guard(lock_);
    return waits.is_waiting() && waits.is_linked();
}

/// True if the write has ended, with or without success.
bool byte_channel::advance(channel_write& write, pending_wakes& wakes) noexcept {
    if (is_refused_ || is_ended_) {
        write.error_ = std::errc::broken_pipe;
        return true;
    }
    const_buffer* next = write.next();
    const std::size_t before = size_;
    for (; next != nullptr && size_ != capacity_; next = write.next()) {
        const std::size_t count = put({static_cast<const std::byte*>(next->data()), next->size()});
        next->remove_prefix(count);
        write.sent_ += count;
    }
    if (size_ != before)
        release_first(reader_, wakes);
    write.is_complete_ = next == nullptr || (!write.is_whole_ && write.sent_ != 0);
    return write.is_complete_;
}

std::size_t byte_channel::put(std::span<const std::byte> bytes) noexcept {
    const std::size_t count = std::min(bytes.size(), capacity_ - size_);
    const std::size_t at = (first_ + size_) % capacity_;
    const std::size_t unbroken = std::min(count, capacity_ - at);
    std::copy_n(bytes.data(), unbroken, ring_.get() + at);
    std::copy_n(bytes.data() + unbroken, count - unbroken, ring_.get());
    size_ += count;
    return count;
}

void byte_channel::feed_from_writer(pending_wakes& wakes) noexcept {
    if (!writer_.empty() && advance(*writing_, wakes))
        release_first(writer_, wakes);
}

void byte_channel::release_first(waiter_list& waiting, pending_wakes& wakes) noexcept {
    if (!waiting.empty())
        waiting.pop_front().release(wakes);
}

channel_read::channel_read(byte_channel& from, std::span<std::byte> out) noexcept : from_(from), out_(out) {}

std::expected<std::size_t, std::error_code> channel_write::outcome() noexcept {
    to_.leave(waiter_);
    if (!is_complete_)
        return std::unexpected(std::make_error_code(error_));
    return sent_;
}

const_buffer* channel_write::next() noexcept {
    if (is_single_)
        return single_.size() != 0 ? &single_ : nullptr;
    while (!buffers_.empty() && buffers_.front().size() == 0)
        buffers_ = buffers_.subspan(1);
    return buffers_.empty() ? nullptr : &buffers_.front();
}

}  // namespace eddy::detail
