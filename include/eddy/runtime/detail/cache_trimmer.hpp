#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/detail/cached_memory.hpp>
#include <eddy/detail/intrusive_list.hpp>

#include <chrono>

namespace eddy::detail {

/// Trims every two seconds what a worker keeps for reuse, frames first: frees what was not needed since the
/// last trim. As long as there is only a little it does nothing.
///
/// Thread safety: belongs to its worker.
class cache_trimmer {
public:
    static constexpr duration interval = std::chrono::seconds(2);

    /// `keeper` is looked at until it is destroyed.
    void add(trimmable_cache& keeper) noexcept { keepers_.push_back(keeper); }

    /// Whether there may be something to free, and so a next trim.
    [[nodiscard]] static bool is_needed() noexcept { return trim_request::is_given(); }
    /// When that is due.
    [[nodiscard]] time_point next_look() const noexcept { return next_look_; }
    void look_if_due(time_point now) noexcept {
        if (now >= next_look_)
            look(now);
    }

private:
    void look(time_point now) noexcept;

    time_point next_look_{};
    intrusive_list<trimmable_cache, trimmable_cache> keepers_;
};

}  // namespace eddy::detail
