#pragma once

#include <eddy/io/awaited_operation.hpp>
#include <eddy/io/result.hpp>
#include <eddy/stream/splice_end.hpp>

#include <expected>
#include <system_error>
#include <utility>

namespace eddy::http {

/// Awaits that a stream's descriptor takes bytes again. The stream knows of it, so that its close() ends it
/// with operation_canceled. It takes nothing and gives nothing: dropped, nothing has happened. Whoever goes
/// on asks the stream for its end anew, since it may have been closed after all.
///
/// Requires: the stream outlives it.
class awaited_room : public io::awaited_operation<io::operation> {
public:
    explicit awaited_room(const eddy::detail::splice_end& sink) noexcept
        : awaited_operation(sink.carrier(), io::opcode::await_writable), sink_(sink) {
        descriptor = sink.descriptor();
    }
    awaited_room(awaited_room&& other) noexcept
        : awaited_operation(std::move(other)),
          sink_(other.sink_) {}  // NOLINT(bugprone-use-after-move): the base took its part only
    awaited_room& operator=(awaited_room&&) = delete;
    ~awaited_room() {
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
