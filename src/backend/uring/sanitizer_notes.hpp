#pragma once

#include <eddy/detail/build.hpp>

#if EDDY_THREAD_SANITIZED
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void __sanitizer_syscall_pre_impl_close(long descriptor);
}
#endif

/// Annotations for ThreadSanitizer, which does not see what the kernel does for a ring. Nothing in other
/// builds.
namespace eddy::backends {

/// Memory goes to the kernel, by a submission, and comes back from it, by a completion.
inline void note_release([[maybe_unused]] void* place) noexcept {
#if EDDY_THREAD_SANITIZED
    __tsan_release(place);
#endif
}
inline void note_acquire([[maybe_unused]] void* place) noexcept {
#if EDDY_THREAD_SANITIZED
    __tsan_acquire(place);
#endif
}

/// A descriptor is about to be closed: the next use of its number is unrelated to the former one.
inline void note_closing([[maybe_unused]] int descriptor) noexcept {
#if EDDY_THREAD_SANITIZED
    __sanitizer_syscall_pre_impl_close(descriptor);
#endif
}

}  // namespace eddy::backends
