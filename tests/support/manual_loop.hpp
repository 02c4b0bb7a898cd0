#pragma once

#include <eddy/core/detail/resume_loop.hpp>

#include <cstddef>
#include <limits>

namespace eddy::test {

/// The resume loop of this thread while it lives, turned by hand: no worker, no backend.
class manual_loop {
public:
    manual_loop() : before_(detail::resume_loop::enter(&loop_)) {}
    manual_loop(const manual_loop&) = delete;
    manual_loop& operator=(const manual_loop&) = delete;
    ~manual_loop() {
        loop_.drop_detached();
        detail::resume_loop::enter(before_);
    }

    /// Resumes jobs until none is ready.
    std::size_t run() { return loop_.run(std::numeric_limits<std::size_t>::max()); }
    /// Resumes one job.
    std::size_t step() { return loop_.run(1); }
    [[nodiscard]] detail::resume_loop& loop() noexcept { return loop_; }

private:
    detail::resume_loop loop_;
    detail::resume_loop* before_;
};

}  // namespace eddy::test
