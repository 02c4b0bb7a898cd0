#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/base/intrusive_list.hpp>
#include <eddy/base/spare_memory.hpp>

#include <chrono>

namespace eddy::detail {

/// Looks every two seconds at what a worker keeps for reuse, frames first, and has given back what nobody has
/// needed since the look before. As long as there is no more than a little it does not look.
///
/// Thread safety: belongs to its worker.
class spare_watch {
public:
    static constexpr duration interval = std::chrono::seconds(2);

    /// `keeper` is looked at until it is destroyed.
    void add(spare_keeper& keeper) noexcept { keepers_.push_back(keeper); }

    /// Whether there may be something to give back, and so a next look.
    [[nodiscard]] static bool is_needed() noexcept { return spare_notice::is_given(); }
    /// When that is due.
    [[nodiscard]] time_point next_look() const noexcept { return next_look_; }
    void look_if_due(time_point now) noexcept {
        if (now >= next_look_)
            look(now);
    }

private:
    void look(time_point now) noexcept;

    time_point next_look_{};
    intrusive_list<spare_keeper, spare_keeper> keepers_;
};

}  // namespace eddy::detail
