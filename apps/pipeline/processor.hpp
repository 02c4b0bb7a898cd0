#pragma once

#include "pipeline/blocking_client.hpp"
#include "pipeline/computation.hpp"
#include "pipeline/processing_options.hpp"
#include "pipeline/upstream_client.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>

#include <cstdint>
#include <optional>

namespace eddy::apps {

/// A question of a client's.
struct request {
    std::uint64_t number = 0;
    /// A request that has waited for longer than the time-out before a thread takes it gets timed_out.
    time_point arrived;
};

/// What a worker of the pool does with requests: squares the number, and has the upstream service add 1.
///
/// Thread safety: none; it belongs to its worker.
class processor {
public:
    /// Refers to the options and the computation, which outlive it.
    processor(const processing_options& options, const computation& work);

    /// In every mode but `callback`.
    [[nodiscard]] task<upstream_result> process(request req);
    /// In mode `callback`: calls the function with the result, now or later.
    void process_and(request req, upstream_continuation next);

private:
    [[nodiscard]] bool is_late(const request& req) const noexcept {
        return clock::now() - req.arrived > options_.upstream.timeout;
    }

    const processing_options& options_;
    const computation& compute_;
    std::optional<blocking_client> blocking_;
    std::optional<upstream_client> upstream_;
};

}  // namespace eddy::apps
