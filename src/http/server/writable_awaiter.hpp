#pragma once

#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/stream/detail/splice_end.hpp>

#include <expected>
#include <system_error>
#include <utility>

namespace eddy::http {

/// Waits until a stream's descriptor is writable. The stream has a pointer to it, so that its close() ends it
/// with operation_canceled. It transfers nothing: dropped, nothing has happened. The resumed task must get
/// the stream's descriptor anew, since the stream may have been closed meanwhile.
///
/// Requires: the stream outlives it.
class writable_awaiter : public io::awaited_operation<io::operation> {
public:
    explicit writable_awaiter(const eddy::detail::splice_end& sink) noexcept
        : awaited_operation(sink.backend(), io::opcode::await_writable), sink_(sink) {
        descriptor = sink.descriptor();
    }
    writable_awaiter(writable_awaiter&& other) noexcept
        : awaited_operation(std::move(other)),
          sink_(other.sink_) {}  // NOLINT(bugprone-use-after-move): the base took its part only
    writable_awaiter& operator=(writable_awaiter&&) = delete;
    ~writable_awaiter() {
        withdraw_if_pending();
        settle();
    }

    void await_suspend(eddy::detail::suspension point) noexcept {
        sink_.begin(*this);
        is_noted_ = true;
        awaited_operation::await_suspend(point);
    }
    void await_resume() {
        settle();
        io::require_done(result(), "sending a file");
    }
    std::expected<void, std::error_code> outcome() noexcept {
        settle();
        return io::expected_done(result());
    }

private:
    void settle() noexcept {
        if (std::exchange(is_noted_, false))
            sink_.end();
    }

    eddy::detail::splice_end sink_;
    bool is_noted_ = false;
};

}  // namespace eddy::http
