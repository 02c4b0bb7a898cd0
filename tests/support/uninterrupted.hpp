#pragma once

#include <cerrno>

namespace eddy::test {

/// Makes a call again when it was interrupted: the kernel takes a ring apart with the help of its thread,
/// whose blocking calls it interrupts for that.
template <class Call>
auto uninterrupted(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR)
        result = call();
    return result;
}

}  // namespace eddy::test
