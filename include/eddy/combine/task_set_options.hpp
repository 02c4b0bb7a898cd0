#pragma once

#include <cstddef>
#include <limits>

namespace eddy {

/// How a task_set is made. Setters chain.
class task_set_options {
public:
    task_set_options() noexcept = default;

    /// The most tasks that spawn_when_free() lets run at once; no limit by default. Requires: 1 at least.
    task_set_options& tasks_max(std::size_t tasks) noexcept {
        tasks_max_ = tasks;
        return *this;
    }

    [[nodiscard]] std::size_t tasks_max() const noexcept { return tasks_max_; }

private:
    std::size_t tasks_max_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace eddy
