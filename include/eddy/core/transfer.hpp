#pragma once

#include <eddy/base/build.hpp>

#include <coroutine>

namespace eddy::detail {

// How one coroutine hands control to another when it suspends.
//
// An await_suspend ends with `return transfer_to(next);` and whoever resumes a coroutine calls resume(h).
// Where the compiler makes symmetric transfer a tail call, that is all there is to it. Elsewhere transfer_to
// leaves `next` for the innermost resume() of this thread, which picks it up once the suspending coroutine
// has returned, so the stack stays flat in both worlds.

#if EDDY_SYMMETRIC_TRANSFER

using transfer = std::coroutine_handle<>;

[[nodiscard]] inline transfer transfer_to(std::coroutine_handle<> next) noexcept {
    return next;
}

inline void resume(std::coroutine_handle<> next) {
    next.resume();
}

#else

using transfer = void;

extern constinit thread_local std::coroutine_handle<> transferred;

inline void transfer_to(std::coroutine_handle<> next) noexcept {
    transferred = next;
}

inline void resume(std::coroutine_handle<> next) {
    do {
        transferred = nullptr;
        next.resume();
        next = transferred;
    } while (next);
}

#endif

}  // namespace eddy::detail
