#pragma once

#include "pipeline/computation.hpp"
#include "pipeline/processing_options.hpp"
#include "pipeline/processor.hpp"

#include <eddy/core/task.hpp>
#include <eddy/runtime/runtime.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace eddy::apps {

/// The workers of a runtime that process requests: a fixed number, the last ones of the runtime.
///
/// Thread safety: process() is for every worker of the runtime.
class pool {
public:
    /// Requires: fewer workers than the runtime has.
    pool(runtime& on, const processing_options& options);

    /// Makes a processor on each worker of the pool.
    [[nodiscard]] task<> open();
    /// Ends them. Requires: process() is not called any more.
    [[nodiscard]] task<> close();

    /// Has a request processed by one of the workers, which take turns, and returns the result at home.
    /// Dropped: the processing ends at its next wait, or its result goes nowhere.
    [[nodiscard]] task<upstream_result> process(request req);

private:
    void open_here(std::size_t member);  // called on the member's worker
    [[nodiscard]] task<upstream_result> process_by_callback(std::size_t member, request req);
    [[nodiscard]] std::size_t worker_of(std::size_t member) const noexcept { return first_worker_ + member; }

    runtime& runtime_;
    const processing_options& options_;
    computation work_;
    std::size_t first_worker_;
    std::atomic<std::size_t> turn_{0};
    // Each is made, used and destroyed by its own worker only.
    std::vector<std::unique_ptr<processor>> processors_;
};

}  // namespace eddy::apps
