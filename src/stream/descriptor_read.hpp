#pragma once

#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/stream/detail/descriptor_read.hpp>

#include <cerrno>
#include <cstddef>
#include <span>
#include <utility>

namespace eddy::detail {

template <class Stream>
bool descriptor_read<Stream>::await_ready() noexcept {
    // The system would answer a read into no memory as it does the end.
    if (size == 0 || stream_.has_answer())
        return true;
    if (stream_.is_deferring_reads())
        return false;
    stream_.descriptor_stream::require_no_read();
    const bool has_read = try_at_once(stream_.read_speculation);
    if constexpr (Stream::is_socket)
        if (std::exchange(stream_.is_followed_up, false)) [[unlikely]]
            stream_.more_speculation.note(has_read);
    if (!has_read)
        return false;
    way_ = way::direct;
    return consume_budget() || may_read_on();
}

// Readers may take more at once than writers write: otherwise a backlog between two tasks of this worker
// would never shrink, and its bytes would be out of the processor's caches when they are read. Where there
// was nothing more, the writer runs before the next attempt.
template <class Stream>
bool descriptor_read<Stream>::may_read_on() noexcept {
    if constexpr (Stream::is_socket) {
        resume_loop& loop = resume_loop::current();
        const bool is_full = result() > 0 && static_cast<std::size_t>(result()) == size;
        if (is_full && loop.has_ready() && !stream_.more_speculation.should_try())
            return false;
        const bool reads_on = loop.extend_budget();
        stream_.is_followed_up = is_full && reads_on;
        return reads_on;
    }
    return false;
}

template <class Stream>
void descriptor_read<Stream>::await_suspend(suspension point) noexcept {
    if constexpr (Stream::is_socket) {
        if (stream_.is_receiving()) {
            way_ = way::pooled;
            return stream_.wait_for_answer(resume_loop::current().suspend(point));
        }
    } else if (stream_.is_deferring_reads()) {
        code = io::opcode::await_readable;
    }
    stream_.require_no_read();
    way_ = way::direct;
    stream_.reading = this;
    awaited_operation::await_suspend(point);
}

template <class Stream>
void descriptor_read<Stream>::on_step(io::operation& ended, const io::completion& step) noexcept {
    auto& self = static_cast<descriptor_read&>(ended);
    if constexpr (!Stream::is_socket) {
        const bool is_ready = self.code == io::opcode::await_readable && step.result >= 0;
        // A descriptor in non-blocking mode may have said that it is readable when it was not.
        const bool is_early = self.code == io::opcode::read && step.result == -EAGAIN;
        if (is_ready || is_early) {
            if (!self.stream_.is_open())
                return self.end_with(-ECANCELED);
            if (is_ready)
                self.stream_.note_writer();
            self.code = is_ready ? io::opcode::read : io::opcode::await_readable;
            return self.backend().submit(self);
        }
    }
    self.end_with(step.result);
}

template <class Stream>
std::int32_t descriptor_read<Stream>::take() noexcept {
    if (size == 0)
        return 0;
    if (std::exchange(way_, way::none) != way::direct)
        return stream_.take_bytes({static_cast<std::byte*>(address), size});
    stream_.reading = nullptr;
    if constexpr (Stream::is_socket)
        if (result() <= 0 && result() != -ECANCELED)
            stream_.note_end(result());
    return result();
}

template <class Stream>
bool descriptor_read<Stream>::is_pending() const noexcept {
    if constexpr (Stream::is_socket)
        if (way_ == way::pooled)
            return stream_.has_reader();
    return awaited_operation::is_pending();
}

template <class Stream>
void descriptor_read<Stream>::interrupt() noexcept {
    if constexpr (Stream::is_socket)
        if (way_ == way::pooled)
            return stream_.forget_reader();
    end_direct();
}

template <class Stream>
void descriptor_read<Stream>::end_direct() noexcept {
    withdraw_if_pending();
    if (!Stream::is_socket && code == io::opcode::await_readable)
        set_result(-ECANCELED);
}

template <class Stream>
void descriptor_read<Stream>::abandon() noexcept {
    if constexpr (Stream::is_socket)
        if (way_ == way::pooled)
            stream_.forget_reader();
    if (way_ != way::direct)
        return;
    if (!is_idle())
        end_direct();
    stream_.reading = nullptr;
    // The read had won the race: its bytes go to the next one.
    if (result() > 0)
        stream_.put_back({static_cast<std::byte*>(address), static_cast<std::size_t>(result())});
    else if (result() != -ECANCELED)
        stream_.note_end(result());
}

}  // namespace eddy::detail
