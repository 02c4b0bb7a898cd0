#pragma once

#include <eddy/detail/assert.hpp>

namespace eddy::detail {

/// What a socket, a stream, a listener or the end of a pipe owns. In every build, using one that was moved from ends the program
/// with a message.
template <class Owner>
[[nodiscard]] auto& owned_state(const Owner& owner) noexcept {
    if (owner == nullptr) [[unlikely]]
        fatal("a stream, socket, listener or pipe is used that was moved from");
    return *owner;
}

/// The same for an operation: in every build, one on another worker than that of what is used ends the program
/// with a message, too.
template <class Owner>
[[nodiscard]] auto& owned_here(const Owner& owner) noexcept {
    auto& state = owned_state(owner);
    state.require_home();
    return state;
}

}  // namespace eddy::detail
