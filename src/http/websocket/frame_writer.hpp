#pragma once

#include "http/server/member_timer.hpp"
#include "http/websocket/outbox.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/websocket/detail/frame_header.hpp>
#include <eddy/http/websocket/detail/role.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/sync/event.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <system_error>

namespace eddy::http {

/// Writes frames to a stream: takes them over whole, and has a task of its own, while there is something to
/// write, that does it. So a dropped sender leaves no half of a frame behind, and frames that are added in
/// one turn leave together.
class frame_writer {
public:
    frame_writer(any_stream& stream, websocket_role role, std::size_t buffer_bytes, duration timeout);
    frame_writer(const frame_writer&) = delete;
    frame_writer& operator=(const frame_writer&) = delete;
    ~frame_writer() { writing_.cancel(); }

    /// Adds a frame, masked if this is a client. What is large, is not masked and has nothing before it is
    /// written at once as far as that goes, which spares copying it. Throws std::bad_alloc; nothing was added
    /// then, or nothing can be written any more.
    void append(websocket_frame_header header, std::span<const std::byte> payload);
    void append(websocket_frame_header header, std::string payload);
    /// Adds a control frame in front of large ones.
    void append_urgent(websocket_opcode code, std::span<const std::byte> payload);

    [[nodiscard]] std::size_t size() const noexcept { return outbox_.size(); }
    [[nodiscard]] bool has_room() const noexcept { return outbox_.size() <= buffer_bytes_; }
    /// Set whenever there is room again, and whenever the tasks that wait for it must look for another
    /// reason.
    [[nodiscard]] event<>& room() noexcept { return room_; }
    /// Bytes of urgent frames that were added since all was written.
    [[nodiscard]] std::size_t urgent_bytes() const noexcept { return urgent_bytes_; }
    /// Why nothing can be written any more.
    [[nodiscard]] std::error_code failure() const noexcept { return failure_; }

    /// Waits until all is written or cannot be.
    [[nodiscard]] task<> wait_until_written();

private:
    void cover(websocket_frame_header& header) const;
    void start();
    [[nodiscard]] task<> write_all();
    void on_timeout() noexcept;
    void give_up(std::error_code why) noexcept;

    any_stream& stream_;
    eddy::detail::worker_core& home_;
    std::size_t buffer_bytes_;
    duration timeout_;
    outbox outbox_;
    std::size_t urgent_bytes_ = 0;
    std::error_code failure_;
    websocket_role role_;
    bool is_writing_ = false;
    event<> room_;
    event<> is_written_;
    member_timer<frame_writer> slow_{*this, &frame_writer::on_timeout};
    handle<> writing_;
};

}  // namespace eddy::http
