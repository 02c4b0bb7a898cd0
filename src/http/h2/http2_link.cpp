#include "http/h2/http2_link.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/runtime/detail/deadline.hpp>

#include <chrono>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

namespace eddy::http {

namespace {

using eddy::detail::deadline_after;

// How long a peer may be silent, once this side has ended, before the connection is closed, and how much it may
// say.
constexpr auto linger_time = std::chrono::seconds(2);
constexpr std::size_t linger_bytes_max = 256 * 1024;
// What the streams of sockets lend.
constexpr std::size_t whole_buffer_bytes = 16 * 1024;

}  // namespace

http2_link::http2_link(http2_role role, const http2_options& options, eddy::detail::worker_core& home,
                       frame_memory& frames, any_stream stream)
    : http2_session(role, options, frames.made), home_(home), stream_(std::move(stream)), frames_(frames) {}

void http2_link::stream_has_output(http2_stream& stream) noexcept {
    if (stream.waiting_bytes() != 0)
        stream.note_output(home_.turn_time());
    resume(stream);
    start_writing();
}

void http2_link::stream_was_read(http2_stream& stream, std::size_t bytes) noexcept {
    if (bytes == 0)
        return;
    consume(stream, bytes);
    start_writing();
}

void http2_link::stop_writing() noexcept {
    is_cut_ = true;
    writing_.cancel();
}

void http2_link::cut() noexcept {
    is_cut_ = true;
    stream_.close();
}

void http2_link::start_writing() noexcept {
    if (is_writing_ || is_cut_ || (!wants_write() && !has_to_settle() && filled_ == nullptr))
        return;
    try {
        writing_ = spawn(write_all(), "http2 writer");
        is_writing_ = true;
    } catch (const std::bad_alloc&) {
        cut();
    }
}

void http2_link::fill() noexcept {
    settle();
    if (!wants_write() || is_cut_)
        return;
    try {
        if (filled_ == nullptr)
            filled_ = frames_.blocks.get();
    } catch (const std::bad_alloc&) {
        return cut();
    }
    produce(*filled_, home_.turn_time());
    settle();
}

task<void> http2_link::write_all() {
    try {
        for (;;) {
            fill();
            if (filled_ == nullptr)
                break;
            // What is added meanwhile goes to another block.
            std::unique_ptr<send_block> sent = std::move(filled_);
            const bool goes_on = !sent->empty() && co_await write(*sent);
            sent->clear();
            frames_.blocks.put(std::move(sent));
            if (!goes_on)
                break;
        }
    } catch (const std::bad_alloc&) {
        cut();
    }
    // The reader ends when the peer does, which has seen the last frame, or a little later.
    if (!is_cut_ && !wants_read()) {
        if (!cut_timer_.is_armed())
            cut_timer_.arm(home_, linger_time);
        co_await end_own_side();
    }
    is_writing_ = false;
    written_.set();
    writing_.cancel();  // it ends without an owner, so that nothing of it is left
}

task<bool> http2_link::write(send_block& block) {
    is_sending_ = true;
    while (!block.empty()) {
        const auto sent = co_await stream_.write_until(as_bytes(block.bytes()),
                                                       deadline_after(home_.turn_time(), write_timeout()));
        if (!sent) {
            cut();
            co_return false;
        }
        on_sent(*sent);
        block.note_sent(*sent);
    }
    is_sending_ = false;
    co_return true;
}

void http2_link::start_writing_now() noexcept {
    constexpr std::size_t bulk_bytes_min = 16 * 1024;
    // There is no block where there was one response at the most.
    while (filled_ != nullptr && !is_sending_ && !is_cut_) {
        fill();
        if (filled_->bytes().size() < bulk_bytes_min)
            break;
        const const_buffer written(as_bytes(filled_->bytes()));
        const std::size_t count = stream_.try_write({&written, 1});
        if (count == 0)
            break;
        on_sent(count);
        filled_->note_sent(count);
        if (!filled_->empty())
            break;
        filled_->clear();
    }
    if (filled_ != nullptr && filled_->empty())
        frames_.blocks.put(std::move(filled_));
    start_writing();
}

std::span<const std::byte> http2_link::read_behind(const buffer_lease& lease) noexcept {
    if (lease.size() < whole_buffer_bytes || is_cut_)
        return {};
    try {
        if (frames_.bulk == nullptr)
            frames_.bulk = std::make_unique_for_overwrite<std::byte[]>(frame_memory::bulk_bytes);
        const std::span<std::byte> room(frames_.bulk.get(), frame_memory::bulk_bytes);
        return room.first(stream_.try_read(room));
    } catch (const std::bad_alloc&) {
        return {};
    }
}

task<void> http2_link::end_own_side() {
    if (!is_cut_ && !std::exchange(has_ended_own_side_, true))
        static_cast<void>(co_await as_result(stream_.shutdown()));
}

// Until the peer ends the connection, which has read everything then. What it sends meanwhile (credit for what it
// reads) is discarded: a connection that was closed would answer with a reset, and what is on its way would be lost.
task<void> http2_link::linger() {
    if (is_cut_)
        co_return;
    cut_timer_.arm(home_, write_timeout());
    while (is_writing_) {
        written_.reset();
        co_await written_.wait();
    }
    co_await end_own_side();
    std::size_t discarded = 0;
    while (!is_cut_ && discarded < linger_bytes_max) {
        const auto arrived =
            co_await stream_.read_leased_until(deadline_after(home_.turn_time(), linger_time));
        if (!arrived || arrived->empty())
            break;
        discarded += arrived->size();
    }
}

}  // namespace eddy::http
