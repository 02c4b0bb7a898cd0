#pragma once

#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/result.hpp>

#include <expected>
#include <system_error>
#include <utility>

namespace eddy::detail {

/// Awaits that a descriptor can be read or written. It transfers nothing: dropped, nothing has happened.
class awaited_readiness : public io::awaited_operation<io::operation>,
                          public outcome_awaiter<awaited_readiness> {
public:
    /// `slot`, unless it is null: where the descriptor's stream notes what is under way, so that its close() ends
    /// the wait with operation_canceled. Requires: the stream outlives the wait.
    awaited_readiness(io::backend& backend, io::opcode kind, int awaited,
                      io::operation** slot = nullptr) noexcept
        : awaited_operation(backend, kind), slot_(slot) {
        descriptor = awaited;
    }
    awaited_readiness(awaited_readiness&& other) noexcept
        : awaited_operation(std::move(other)),
          slot_(other.slot_) {}  // NOLINT(bugprone-use-after-move): the base took its part only
    awaited_readiness& operator=(awaited_readiness&&) = delete;
    ~awaited_readiness() {
        if (slot_ != nullptr && *slot_ == this)
            *slot_ = nullptr;
    }

    void await_suspend(suspension point) noexcept {
        if (slot_ != nullptr) {
            EDDY_ASSERT(*slot_ == nullptr, "one read and one write at a time on a stream");
            *slot_ = this;
        }
        awaited_operation::await_suspend(point);
    }
    std::expected<void, std::error_code> outcome() const noexcept { return io::expected_done(result()); }
    [[nodiscard]] static const char* what() noexcept { return "await readiness"; }

private:
    io::operation** slot_;
};

}  // namespace eddy::detail
