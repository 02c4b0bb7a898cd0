#pragma once

#include "broadcast/figures.hpp"
#include "broadcast/line.hpp"

#include <eddy/core/task.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/event.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace eddy::apps {

/// What happens to a receiver whose queue is full.
enum class slow_policy : std::uint8_t {
    drop_oldest,  ///< it misses lines
    disconnect    ///< it is shown out
};

/// How many lines a session writes at once.
inline constexpr std::size_t lines_at_once = 64;

/// The lines that wait to be sent to one client. Belongs to one worker.
class receiver {
public:
    receiver(std::size_t lines_max, slow_policy policy, broadcast_figures& figures) noexcept
        : lines_max_(lines_max), policy_(policy), figures_(figures) {}

    /// Never waits.
    void offer(const shared_line& said);
    /// No more lines come; what waits is still sent.
    void finish() noexcept {
        is_finished_ = true;
        has_news_.set();
    }

    /// Waits for lines, and moves up to `count_max` of them to `out`, which is empty then only if there will
    /// be none.
    [[nodiscard]] task<> take(std::vector<shared_line>& out, std::size_t count_max);
    /// Set once it has to go.
    [[nodiscard]] event<>& dismissal() noexcept { return dismissal_; }
    [[nodiscard]] broadcast_figures& figures() const noexcept { return figures_; }

private:
    std::size_t lines_max_;
    slow_policy policy_;
    broadcast_figures& figures_;
    std::deque<shared_line> lines_;
    bool is_finished_ = false;
    auto_reset_event has_news_;
    event<> dismissal_;
};

}  // namespace eddy::apps
