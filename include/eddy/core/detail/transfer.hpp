#pragma once

#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/build.hpp>

#include <coroutine>
#include <utility>

namespace eddy::detail {

// How one coroutine passes control to another when it suspends.
//
// An await_suspend ends with `return transfer_from(point, next);`, the last suspension of a coroutine with
// `return transfer_to(next);`, and code that resumes a coroutine calls resume(h).
// Where the compiler makes symmetric transfer a tail call, that is all there is to it. Elsewhere transfer_to
// leaves `next` for the innermost resume() of this thread, which picks it up once the suspending coroutine
// has returned, so the stack stays flat in both worlds. resume() serves both, so that a program built by one
// compiler can use the library built by another. Then functions that return a transfer exist in both forms:
// they are inline, and they have different names by the tag in the type of one form. A function that is
// compiled in the library never returns a transfer.

extern constinit thread_local std::coroutine_handle<> transferred;

inline void resume(std::coroutine_handle<> next) {
    for (;;) {
        next.resume();
        if (!transferred) [[likely]]
            return;
        next = std::exchange(transferred, nullptr);
    }
}

#if EDDY_SYMMETRIC_TRANSFER

struct [[gnu::abi_tag("symmetric")]] symmetric_transfer;
using transfer = std::coroutine_handle<symmetric_transfer>;

[[nodiscard]] inline transfer transfer_to(std::coroutine_handle<> next) noexcept {
    return transfer::from_address(next.address());
}
[[nodiscard]] inline transfer transfer_from(const suspension&, std::coroutine_handle<> next) noexcept {
    return transfer_to(next);
}

#else

using transfer = void;

inline void transfer_to(std::coroutine_handle<> next) noexcept {
    transferred = next;
}
/// A coroutine of another library may not have been resumed by resume(), which then would pick up nothing.
inline void transfer_from(const suspension& suspended, std::coroutine_handle<> next) {
    if (suspended.is_link())
        transfer_to(next);
    else
        resume(next);
}

#endif

}  // namespace eddy::detail
