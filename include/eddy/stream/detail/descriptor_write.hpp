#pragma once

#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/stream/detail/descriptor_stream.hpp>

#include <cstddef>
#include <expected>
#include <span>
#include <system_error>
#include <utility>

namespace eddy::detail {

// The requests of writes: how bytes are passed to the system. advance() counts what was written and returns
// whether some is left.

/// To a socket, in one piece.
struct send_request : io::operation {
    using operation::operation;
    static constexpr io::opcode initial_code = io::opcode::send;
    bool advance(std::size_t count) noexcept;
};

/// To a socket, in several pieces.
struct vectored_send_request : io::scratch_operation {
    using scratch_operation::scratch_operation;
    static constexpr io::opcode initial_code = io::opcode::send_vectored;
    bool advance(std::size_t count) noexcept;
};

/// To any other descriptor, piece by piece.
struct write_request : io::operation {
    using operation::operation;
    static constexpr io::opcode initial_code = io::opcode::write;
    bool advance(std::size_t count) noexcept;
    std::span<const_buffer> later;
};

/// Awaits the writing of bytes to a stream over a descriptor.
template <class Request>
class descriptor_write : public io::awaited_operation<Request>,
                         public outcome_awaiter<descriptor_write<Request>> {
    using base = io::awaited_operation<Request>;

public:
    descriptor_write(descriptor_stream& stream, const void* data, std::size_t bytes, bool is_whole) noexcept
        : base(stream.backend(), Request::initial_code, &on_step), stream_(stream) {
        this->descriptor = stream.descriptor();
        this->address = const_cast<void*>(data);
        this->size = bytes;
        this->whole = is_whole;
    }
    /// All bytes of several buffers.
    descriptor_write(descriptor_stream& stream, std::span<const_buffer> buffers) noexcept
        requires requires(Request& request) { request.later; }
        : descriptor_write(stream, nullptr, 0, true) {
        this->later = buffers;
        this->advance(0);
    }
    descriptor_write(descriptor_write&& other) noexcept
        : base(std::move(other)),
          stream_(other.stream_) {  // NOLINT(bugprone-use-after-move): the base took its part only
        if constexpr (requires(Request& request) { request.later; })
            this->later = other.later;  // NOLINT(bugprone-use-after-move): likewise
    }
    descriptor_write& operator=(descriptor_write&&) = delete;
    ~descriptor_write() {
        this->withdraw_if_pending();
        if (stream_.writing == this)
            stream_.writing = nullptr;
    }

    bool await_ready() noexcept;
    void await_suspend(suspension point) noexcept {
        stream_.require_no_write();
        stream_.writing = this;
        base::await_suspend(point);
    }
    std::expected<std::size_t, std::error_code> outcome() noexcept {
        stream_.writing = nullptr;
        auto count = io::expected_count(this->result());
        if (count)
            *count += written_;
        return count;
    }
    [[nodiscard]] static const char* what() noexcept { return "write"; }
    void interrupt() noexcept;

private:
    static void on_step(io::operation& ended, const io::completion& step) noexcept;
    [[nodiscard]] bool advance_by(std::int32_t count) noexcept;
    [[nodiscard]] bool must_wait_or_retry(std::int32_t result) noexcept;

    descriptor_stream& stream_;
    std::size_t written_ = 0;
};

using socket_write = descriptor_write<send_request>;
using vectored_socket_write = descriptor_write<vectored_send_request>;
using plain_write = descriptor_write<write_request>;
extern template class descriptor_write<send_request>;
extern template class descriptor_write<vectored_send_request>;
extern template class descriptor_write<write_request>;

}  // namespace eddy::detail
