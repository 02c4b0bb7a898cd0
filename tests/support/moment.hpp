#pragma once

#include <atomic>

namespace eddy::test {

/// Something that comes once and stays. Any thread may bring it about and wait for it.
class moment {
public:
    moment() = default;
    moment(const moment&) = delete;
    moment& operator=(const moment&) = delete;

    void come() noexcept {
        has_come_ = true;
        has_come_.notify_all();
    }
    /// Blocks the thread.
    void wait() const noexcept { has_come_.wait(false); }
    [[nodiscard]] bool has_come() const noexcept { return has_come_; }

private:
    std::atomic<bool> has_come_{false};
};

}  // namespace eddy::test
