#pragma once

#include "http/h2/http2_session.hpp"
#include "http/h2/http2_stream.hpp"
#include "http/h2/send_block.hpp"
#include "http/h2/spare_objects.hpp"
#include "http/server/member_timer.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/sync/event.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace eddy::http {

/// What the connections of one server, or one client, put frames in, and read much at once into.
struct frame_memory {
    static constexpr std::size_t bulk_bytes = 64 * 1024;

    spare_objects<send_block, 256> blocks;
    frame_buffer made;
    std::unique_ptr<std::byte[]> bulk;  // once it was needed
};

/// A session with the stream of bytes below it, of either role: while there is something to be written a task
/// writes it, in blocks. The roles read.
class http2_link : public http2_session, public http2_carrier {
public:
    void stream_has_output(http2_stream& stream) noexcept override;
    void stream_was_read(http2_stream& stream, std::size_t bytes) noexcept override;

protected:
    http2_link(http2_role role, const http2_options& options, eddy::detail::worker_core& home,
               frame_memory& frames, any_stream stream);
    ~http2_link() = default;

    /// Recycles streams that are over. Called before and after frames are made.
    virtual void settle() noexcept = 0;
    [[nodiscard]] virtual bool has_to_settle() const noexcept = 0;
    [[nodiscard]] virtual duration write_timeout() const noexcept = 0;
    virtual void on_sent(std::size_t bytes) noexcept = 0;

    void start_writing() noexcept;
    /// Begins with what is possible without waiting, if there is much: it would not be in the processor's caches
    /// any more when the writer's turn comes.
    void start_writing_now() noexcept;
    /// Adds frames to the block that is sent next. Cuts the connection if there is no memory for one.
    void fill() noexcept;
    /// Reads without waiting what has arrived behind `lease`, if that is a whole buffer: where much arrives, that takes
    /// fewer calls of the system. Valid until another connection does the same. Empty if there is nothing, or no memory.
    [[nodiscard]] std::span<const std::byte> read_behind(const buffer_lease& lease) noexcept;
    /// Drops the writer; nothing begins any more. The destructor of a role begins with it.
    void stop_writing() noexcept;
    /// Ends the connection at once.
    void cut() noexcept;
    [[nodiscard]] bool is_cut() const noexcept { return is_cut_; }
    /// Sends what is left, and waits for the peer's end, which has read everything then.
    [[nodiscard]] task<void> linger();

    eddy::detail::worker_core& home_;
    any_stream stream_;

private:
    [[nodiscard]] task<void> write_all();
    [[nodiscard]] task<bool> write(send_block& block);
    [[nodiscard]] task<void> end_own_side();

    frame_memory& frames_;
    bool is_writing_ = false;
    bool is_sending_ = false;  // a block, which is the writer's
    bool is_cut_ = false;
    bool has_ended_own_side_ = false;
    event<> written_;
    handle<void> writing_;
    std::unique_ptr<send_block> filled_;  // while there is something to send
    member_timer<http2_link> cut_timer_{*this, &http2_link::cut};
};

}  // namespace eddy::http
