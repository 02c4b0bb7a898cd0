#pragma once

#include "rpc/incoming_messages.hpp"
#include "rpc/response_memory.hpp"
#include "rpc/web_text.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/metadata.hpp>
#include <eddy/rpc/services.hpp>
#include <eddy/rpc/status.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::rpc::detail {

/// What the content type of a call says.
struct call_format {
    std::string_view subtype;  ///< of the messages
    bool is_web = false;       ///< gRPC-Web: what is behind the messages is a frame as well
    bool is_text = false;      ///< of gRPC-Web, in its text form
};

/// One call on a server: what server_call shows, and what services need beside it.
class server_call_state {
public:
    server_call_state(http::exchange& ex, const services_options& options, response_memory& memory,
                      call_format spoken);
    server_call_state(const server_call_state&) = delete;
    server_call_state& operator=(const server_call_state&) = delete;
    ~server_call_state() { memory.strings().put(std::move(frame)); }

    /// Reads what the head says of the call. Throws rpc::error for what is not understood.
    void take_head();
    /// Begins the response, if it has not begun.
    [[nodiscard]] ready_or_task<> begin();
    /// Reads some bytes of a body that is `encoded`; 0 at its end. Throws rpc::error for what is no base64.
    [[nodiscard]] task<std::size_t> receive_text(std::span<std::byte> out);
    /// Writes whole frames, which stay where they are until that is done.
    [[nodiscard]] ready_or_task<> send(std::string_view frames);
    /// `frame` with room for its prefix alone.
    [[nodiscard]] std::string& begin_frame();
    /// Begins the response, if it has not begun, and writes `frame`.
    [[nodiscard]] ready_or_task<> send_frame(bool flushes);
    /// Ends the response with a status. Throws std::system_error where that cannot be said any more.
    [[nodiscard]] task<> finish(const status& end);

private:
    void note_frame_sent() noexcept;
    [[nodiscard]] task<> send_text(std::string text);
    // send_frame() once the response has begun, and each of the two where it has to wait.
    [[nodiscard]] ready_or_task<> send_behind_head(bool flushes);
    [[nodiscard]] task<> begin_and_send(ready_or_task<> begun, bool flushes);
    [[nodiscard]] task<> finish_sending(ready_or_task<> sending, bool flushes);
    /// Of a response without initial metadata.
    [[nodiscard]] const http::field_block& plain_head();
    /// Calls add(name, value) for each field of the end.
    template <class Add>
    void for_each_trailer(const status& end, Add add) const;

public:
    http::exchange& ex;
    const services_options& options;
    response_memory& memory;
    call_format format;
    std::optional<time_point> deadline;
    std::optional<metadata> requested;  // made when it is first needed
    metadata initial;
    metadata trailing;
    incoming_messages incoming;
    std::string frame;             // that is made, or sent
    std::uint64_t bytes_sent = 0;  // of messages
    std::uint64_t bytes_received = 0;
    compression declared = compression::identity;  // by the response's head
    compression sent = compression::identity;
    std::optional<web_text> encoded;  // where the format is text
    bool can_read_gzip = false;
    bool is_writing = false;  // and was dropped within, if the handler has ended
};

}  // namespace eddy::rpc::detail
