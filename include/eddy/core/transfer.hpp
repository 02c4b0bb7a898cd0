#pragma once

#include <eddy/base/build.hpp>
#include <eddy/core/suspension.hpp>

#include <coroutine>
#include <utility>

namespace eddy::detail {

// How one coroutine hands control to another when it suspends.
//
// An await_suspend ends with `return transfer_from(point, next);`, the last suspension of a coroutine with
// `return transfer_to(next);`, and whoever resumes a coroutine calls resume(h).
// Where the compiler makes symmetric transfer a tail call, that is all there is to it. Elsewhere transfer_to
// leaves `next` for the innermost resume() of this thread, which picks it up once the suspending coroutine
// has returned, so the stack stays flat in both worlds. resume() serves both, so that a program built by one
// compiler can use the library built by another.

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

using transfer = std::coroutine_handle<>;

[[nodiscard]] inline transfer transfer_to(std::coroutine_handle<> next) noexcept {
    return next;
}
[[nodiscard]] inline transfer transfer_from(const suspension&, std::coroutine_handle<> next) noexcept {
    return next;
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
