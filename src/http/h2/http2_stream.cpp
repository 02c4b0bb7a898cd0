#include "http/h2/http2_stream.hpp"

#include "http/message/string_memory.hpp"
#include "http/server/write_attempt.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace eddy::http {

namespace {

// Small bodies stay small, and their memory stays with the stream, for the next one that it carries.
constexpr std::size_t kept_bytes = 1024;
constexpr std::size_t piece_bytes_min = 16'384;
constexpr std::size_t trailer_bytes_kept = 1024;

}  // namespace

// -- out --

void http2_stream::note_output(time_point now) noexcept {
    if (stuck_since != time_point{})
        return;
    stuck_since = sent_at = now;
    sent_since_stuck = 0;
}

void http2_stream::end_output() noexcept {
    is_ended_ = true;
    if (carrier != nullptr)
        carrier->stream_has_output(*this);
}

void http2_stream::take(std::size_t count, char* to, time_point now) noexcept {
    const std::size_t of_buffer = std::min(count, buffer_.bytes().size());
    if (of_buffer != 0) {
        buffer_.bytes().copy(to, of_buffer);
        buffer_.consume(of_buffer);
    }
    if (const std::size_t of_extra = count - of_buffer; of_extra != 0) {
        extra_.copy(to + of_buffer, of_extra);
        extra_.remove_prefix(of_extra);
        if (extra_.empty())
            sent_.set();
    }
    if (left_to_send != unknown_size)
        left_to_send -= count;
    sent_at = now;
    sent_since_stuck += count;
    if (waiting_bytes() == 0)
        stuck_since = {};
}

bool http2_stream::try_flush() noexcept {
    if (sending_.is_locked() || is_sending_over_ || carrier == nullptr)
        return false;
    carrier->stream_has_output(*this);
    return true;
}

task<void> http2_stream::send_behind(std::string_view bytes, bool& is_broken, duration idle, time_point end) {
    write_attempt attempt(is_broken);
    const mutex_guard turn = co_await sending_.lock();
    if (is_sending_over_ || carrier == nullptr)
        throw std::system_error(std::make_error_code(std::errc::broken_pipe), "sending on a stream");
    if (!bytes.empty()) {
        // The bytes go with their sender, however that ends.
        class borrowed {
        public:
            explicit borrowed(std::string_view& shown) noexcept : shown_(shown) {}
            borrowed(const borrowed&) = delete;
            borrowed& operator=(const borrowed&) = delete;
            ~borrowed() { shown_ = {}; }

        private:
            std::string_view& shown_;
        };
        sent_.reset();
        extra_ = bytes;
        const borrowed until_then(extra_);
        carrier->stream_has_output(*this);
        if (idle == duration::max() && end == time_point::max())
            while (!extra_.empty() && !is_sending_over_)
                co_await sent_.wait();
        else
            co_await wait_until_sent(idle, end);
        if (!extra_.empty())
            throw std::system_error(std::make_error_code(std::errc::broken_pipe), "sending on a stream");
    } else {
        carrier->stream_has_output(*this);
    }
    attempt.complete();
}

task<void> http2_stream::wait_until_sent(duration idle, time_point end) {
    time_point since = worker::current().turn_time();
    while (!extra_.empty() && !is_sending_over_) {
        const time_point until = std::min(end, eddy::detail::deadline_after(since, idle));
        const auto was_set = co_await as_result(with_deadline(sent_.wait(), until));
        if (was_set)
            continue;
        if (until == end || sent_at <= since)
            throw std::system_error(was_set.error(), "sending on a stream");
        since = sent_at;
    }
}

void http2_stream::end_sending() noexcept {
    is_sending_over_ = true;
    buffer_.clear();
    sent_.set();
}

// -- in --

void http2_stream::add(std::span<const std::byte> bytes) {
    if (begin_ != 0 && begin_ == end_)
        begin_ = end_ = 0;
    if (capacity_ - end_ < bytes.size()) {
        const std::size_t held = end_ - begin_;
        const std::size_t wanted = held + bytes.size();
        const std::size_t capacity =
            std::max({wanted <= kept_bytes ? kept_bytes : piece_bytes_min, 2 * held, wanted});
        auto larger = std::make_unique_for_overwrite<std::byte[]>(capacity);
        if (held != 0)
            std::memcpy(larger.get(), memory_.get() + begin_, held);
        if (lent_bytes_ != 0 && !lent_memory_)
            lent_memory_ = std::move(memory_);
        memory_ = std::move(larger);
        capacity_ = capacity;
        begin_ = 0;
        end_ = held;
    }
    std::memcpy(memory_.get() + end_, bytes.data(), bytes.size());
    end_ += bytes.size();
    static_cast<void>(arrival_.cancel());
}

void http2_stream::add_in_front(std::span<const std::byte> bytes) {
    const std::unique_ptr<std::byte[]> behind = std::move(memory_);
    const std::span<const std::byte> held(behind.get() + begin_, end_ - begin_);
    capacity_ = begin_ = end_ = 0;
    add(bytes);
    if (!held.empty())
        add(held);
}

void http2_stream::end_input(std::error_code failure) noexcept {
    is_input_ended_ = true;
    failure_ = failure;
    static_cast<void>(arrival_.cancel());
}

void http2_stream::note_read(std::size_t bytes) noexcept {
    unread_bytes -= std::min(unread_bytes, bytes);
    if (carrier != nullptr)
        carrier->stream_was_read(*this, bytes);
}

task<bool> http2_stream::wait_for_input(time_point deadline) {
    while (begin_ == end_ && !is_input_ended_) {
        arrival_.expires_at(deadline);
        const bool is_late = co_await arrival_.wait();
        if (is_late)
            co_return false;
    }
    co_return true;
}

task<bool> http2_stream::wait_for_arrival(time_point deadline) {
    arrival_.expires_at(deadline);
    const bool is_late = co_await arrival_.wait();
    co_return !is_late;
}

std::span<const std::byte> http2_stream::lend(std::size_t bytes_max) noexcept {
    lent_bytes_ = std::min(end_ - begin_, bytes_max);
    return {memory_.get() + begin_, lent_bytes_};
}

void http2_stream::take_back() noexcept {
    const std::size_t bytes = std::exchange(lent_bytes_, 0);
    if (bytes == 0)
        return;
    lent_memory_.reset();
    begin_ += bytes;
    note_read(bytes);
}

buffer_lease http2_stream::take_all() noexcept {
    if (begin_ == end_)
        return {};
    buffer_lease taken(std::move(memory_), static_cast<std::uint32_t>(begin_),
                       static_cast<std::uint32_t>(end_));
    capacity_ = begin_ = end_ = 0;
    return taken;
}

task<http2_stream::received> http2_stream::receive(time_point deadline) {
    while (begin_ == end_ && !is_input_ended_) {
        arrival_.expires_at(deadline);
        const bool is_late = co_await arrival_.wait();
        if (is_late)
            co_return std::unexpected(std::make_error_code(std::errc::timed_out));
    }
    if (begin_ == end_ && failure_)
        co_return std::unexpected(failure_);
    buffer_lease given = take_all();
    note_read(given.size());
    co_return given;
}

std::size_t http2_stream::try_take(std::span<std::byte> out) noexcept {
    const std::size_t count = std::min(out.size(), end_ - begin_);
    if (count == 0)
        return 0;
    std::memcpy(out.data(), memory_.get() + begin_, count);
    begin_ += count;
    note_read(count);
    return count;
}

void http2_stream::clear() noexcept {
    carrier = nullptr;
    id = 0;
    is_open = has_head = is_begun_here = is_reset_by_peer = false;
    left_to_send = unknown_size;
    clear_keeping(trailers_to_send, trailer_bytes_kept);
    is_deferred = false;
    stuck_since = {};
    sent_since_stuck = 0;
    unread_bytes = 0;
    buffer_.clear();
    extra_ = {};
    is_ended_ = false;
    is_sending_over_ = false;
    sent_.reset();
    if (capacity_ > kept_bytes) {
        memory_.reset();
        capacity_ = 0;
    }
    begin_ = end_ = lent_bytes_ = 0;
    lent_memory_.reset();
    is_input_ended_ = false;
    failure_ = {};
    static_cast<void>(arrival_.cancel());
}

}  // namespace eddy::http
