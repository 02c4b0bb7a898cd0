#pragma once

#include "backend/posix/posix_sockets.hpp"

#include <cstdint>

namespace eddy::backends {

/// The clocks, which both Linux backends read alike.
class posix_clocks : public posix_sockets {
public:
    time_point now() const noexcept final { return clock::now(); }
    std::int64_t wall_clock_ns() const noexcept final;
    std::int64_t boot_clock_ns() const noexcept final;
    int open_clock_changes() noexcept final;
    int renew_clock_changes(int descriptor) noexcept final;
    void shift_clocks(duration wall, duration boot) noexcept final;

protected:
    using posix_sockets::posix_sockets;

private:
    // What shift_clocks() has added.
    std::int64_t wall_shift_ns_ = 0;
    std::int64_t boot_shift_ns_ = 0;
    int clock_changes_ = -1;  // opened last
};

}  // namespace eddy::backends
