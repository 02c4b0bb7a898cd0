#pragma once

#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/result.hpp>

#include <cerrno>
#include <cstdint>

namespace eddy::detail {

/// The error of an operation on a socket that another task may have closed meanwhile.
template <class State>
[[nodiscard]] std::int32_t error_on(const State& state, std::int32_t result) noexcept {
    return state.descriptor() < 0 ? -ECANCELED : result;
}

/// Awaits that a socket can be read or written, or is closed. What derives from it notes it in the socket's
/// state when it is suspended, so that close() finds it.
template <class State>
class readiness_while_open : public io::awaited_operation<io::operation> {
public:
    readiness_while_open(State& state, io::opcode kind) noexcept
        : awaited_operation(state.backend(), kind), state_(state) {}

    bool await_ready() const noexcept { return state_.descriptor() < 0; }
    void await_suspend(suspension point) noexcept {
        descriptor = state_.descriptor();
        awaited_operation::await_suspend(point);
    }
    void await_resume() const { io::require_done(error_on(state_, result()), "await readiness"); }

protected:
    [[nodiscard]] State& state() const noexcept { return state_; }

private:
    State& state_;
};

}  // namespace eddy::detail
