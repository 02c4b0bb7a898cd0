#pragma once

#include <cerrno>
#include <cstdint>

namespace eddy::backends {

/// The first descriptor behind the standard streams.
inline constexpr int first_other_descriptor = 3;

/// A system call's own result, with -errno for a failure.
[[nodiscard]] inline int checked(int result) noexcept {
    return result < 0 ? -errno : result;
}

/// The same of a call, which is made again when a signal has interrupted it.
template <class Call>
[[nodiscard]] std::int64_t uninterrupted_long(Call call) noexcept {
    while (true) {
        const std::int64_t result = call();
        if (result >= 0)
            return result;
        if (errno != EINTR)
            return -errno;
    }
}
template <class Call>
int uninterrupted(Call call) noexcept {
    return static_cast<int>(uninterrupted_long(call));
}

}  // namespace eddy::backends
