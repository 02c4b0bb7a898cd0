#pragma once

#include <eddy/detail/build.hpp>

namespace eddy::io {

/// For tools that test: while one lives, the operations that this thread awaits are submitted without having
/// been tried at once, so that a success can be brought about while they are under way.
class disable_speculation {
public:
    disable_speculation() noexcept;
    disable_speculation(const disable_speculation&) = delete;
    disable_speculation& operator=(const disable_speculation&) = delete;
    ~disable_speculation();
};

}  // namespace eddy::io
