#pragma once

#include <eddy/detail/assert.hpp>

#include <memory>
#include <utility>

namespace eddy::detail {

/// What a stream, a socket, a listener or the end of a pipe owns. In every build, using one that was moved from
/// ends the program with a message.
template <class Owner>
[[nodiscard]] auto& owned_state(const Owner& owner) noexcept {
    if (owner == nullptr) [[unlikely]]
        fatal("a stream, socket, listener or pipe is used that was moved from");
    return *owner;
}

/// The part of a stream, a socket or the end of a pipe that users hold: it moves, its state does not. State is a
/// worker_descriptor.
template <class State, class End = std::default_delete<State>>
class state_owner {
public:
    [[nodiscard]] bool is_open() const noexcept { return state_ != nullptr && state_->is_open(); }

protected:
    explicit state_owner(std::unique_ptr<State, End> state) noexcept : state_(std::move(state)) {}

    [[nodiscard]] State& state() const noexcept { return owned_state(state_); }
    /// The same for an operation: in every build, one on another worker than the state's ends the program with a
    /// message, too.
    [[nodiscard]] State& here() const noexcept {
        State& owned = state();
        owned.require_home();
        return owned;
    }

private:
    std::unique_ptr<State, End> state_;
};

}  // namespace eddy::detail
