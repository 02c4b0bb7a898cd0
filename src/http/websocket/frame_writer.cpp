#include "http/websocket/frame_writer.hpp"

#include "http/websocket/mask_keys.hpp"

#include <eddy/http/websocket/websocket.hpp>
#include <eddy/io/buffer.hpp>

#include <array>
#include <utility>

namespace eddy::http {

namespace {

// A copy of so much costs more than a system call of its own.
constexpr std::size_t written_at_once_min = 8192;

using header_room = std::array<std::byte, websocket_frame_header::size_max>;

}  // namespace

frame_writer::frame_writer(any_stream& stream, websocket_role role, std::size_t buffer_bytes,
                           duration timeout)
    : stream_(stream),
      home_(eddy::detail::worker_core::current()),
      buffer_bytes_(buffer_bytes),
      timeout_(timeout),
      role_(role) {}

void frame_writer::append(websocket_frame_header header, std::span<const std::byte> payload) {
    cover(header);
    std::size_t written = 0;
    if (payload.size() >= written_at_once_min && !is_writing_ && !header.is_masked()) {
        header_room room;
        const std::size_t head_size = write_frame_header(header, room);
        const const_buffer parts[] = {const_buffer(room.data(), head_size), const_buffer(payload)};
        written = stream_.try_write(parts);
        if (written == head_size + payload.size())
            return;
    }
    try {
        start();
        outbox_.append(header, payload);
    } catch (...) {
        // Nothing can follow a part of a frame.
        if (written != 0)
            give_up(std::make_error_code(std::errc::not_enough_memory));
        throw;
    }
    if (written != 0)
        outbox_.consume(written);
}

void frame_writer::append(websocket_frame_header header, std::string payload) {
    cover(header);
    start();
    outbox_.append(header, std::move(payload));
}

void frame_writer::append_urgent(websocket_opcode code, std::span<const std::byte> payload) {
    websocket_frame_header header(code, payload.size());
    cover(header);
    start();
    outbox_.append_urgent(header, payload);
    urgent_bytes_ += payload.size() + websocket_frame_header::size_max;
}

void frame_writer::cover(websocket_frame_header& header) const {
    if (role_ == websocket_role::client)
        header.key(next_mask_key());
}

/// Before something is added, so that everything added has a writer.
void frame_writer::start() {
    if (is_writing_)
        return;
    writing_ = spawn(write_all(), "websocket writer");
    is_writing_ = true;
}

task<> frame_writer::write_all() {
    while (!outbox_.empty() && !failure_) {
        slow_.arm(home_, timeout_);
        std::array<const_buffer, 8> round;
        const std::size_t count = outbox_.begin_round(round);
        std::error_code failure;
        try {
            if (count == 1)
                co_await stream_.write_all(
                    std::span(static_cast<const std::byte*>(round[0].data()), round[0].size()));
            else
                co_await stream_.write_all(std::span(round).first(count));
        } catch (const std::system_error& error) {
            failure = error.code();
        } catch (...) {
            failure = std::make_error_code(std::errc::not_enough_memory);
        }
        slow_.disarm();
        if (!failure) {
            outbox_.consume_round();
        } else {
            outbox_.clear();
            failure_ = failure_ ? failure_ : failure;
        }
        if (has_room())
            room_.set();
    }
    outbox_.clear();
    urgent_bytes_ = 0;
    is_writing_ = false;
    is_written_.set();
    // It ends without an owner, so that nothing of it is left.
    writing_.cancel();
}

task<> frame_writer::wait_until_written() {
    while (is_writing_) {
        is_written_.reset();
        co_await is_written_.wait();
    }
}

void frame_writer::on_timeout() noexcept {
    give_up(websocket_error::peer_is_silent);
}

void frame_writer::give_up(std::error_code why) noexcept {
    failure_ = why;
    stream_.close();
}

}  // namespace eddy::http
