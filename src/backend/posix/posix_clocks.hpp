#pragma once

#include "backend/posix/opening.hpp"

#include <eddy/io/detail/clocks.hpp>

#include <cstdint>

namespace eddy::backends {

class posix_clocks final : public io::clocks {
public:
    explicit posix_clocks(opening how) noexcept : how_(how) {}

    time_point now() const noexcept override { return clock::now(); }
    std::int64_t wall_clock_ns() const noexcept override;
    std::int64_t boot_clock_ns() const noexcept override;
    int open_clock_changes() noexcept override;
    int renew_clock_changes(int descriptor) noexcept override;
    void shift_clocks(duration wall, duration boot) noexcept override;

private:
    opening how_;
    // What shift_clocks() has added.
    std::int64_t wall_shift_ns_ = 0;
    std::int64_t boot_shift_ns_ = 0;
    int clock_changes_ = -1;  // opened last
};

}  // namespace eddy::backends
