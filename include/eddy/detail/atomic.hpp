#pragma once

#include <eddy/detail/build.hpp>

#include <atomic>

// What threads of the library share goes through these names, so that a test can put atomics of its own in
// their place, which try every order of steps. Such a test defines EDDY_EXPLORED_ATOMICS to the header that
// declares eddy::detail::atomic and eddy::detail::relax, and compiles the library's sources along.
#if defined(EDDY_EXPLORED_ATOMICS)
#include EDDY_EXPLORED_ATOMICS
#else

namespace eddy::detail {

template <class T>
using atomic = std::atomic<T>;

/// Lets another thread have the processor.
void yield_processor() noexcept;

/// Lets the processor know that this thread waits, for some tens of nanoseconds.
inline void pause_processor() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();  // <immintrin.h> would take as long as the whole header
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Pauses between two looks at an atomic that another thread is about to change. `looks`: how many there have
/// been. Each pause is twice as long as the one before, as a look takes the cache line from the thread that
/// works with it: a thread that takes a lock repeatedly does so many times between two looks of another.
/// After some 20 us the other thread has probably been preempted, and this one yields its processor.
inline void relax(unsigned looks) noexcept {
    constexpr unsigned looks_before_yield = 9;
    if (looks >= looks_before_yield)
        return yield_processor();
    for (unsigned left = 1U << looks; left > 0; --left)
        pause_processor();
}

}  // namespace eddy::detail

#endif
