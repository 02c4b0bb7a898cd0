#pragma once

#include "rpc/call_attempt.hpp"
#include "rpc/retry_throttle.hpp"
#include "rpc/service_config.hpp"

#include <eddy/core/task.hpp>
#include <eddy/core/unique_function.hpp>

#include <optional>
#include <utility>

namespace eddy::rpc::detail {

/// Makes attempts of a call until one counts: its response begins, or it fails in a way that is not repeated
/// (gRFC A6).
class call_repetition {
public:
    using maker = unique_function<task<attempt_pointer>(unsigned previous)>;

    /// `make` makes an attempt, the one after so many. `may_repeat` says whether all of the request is still there.
    call_repetition(maker make, unique_function<bool()> may_repeat, retry_throttle* throttle)
        : make_(std::move(make)), may_repeat_(std::move(may_repeat)), throttle_(throttle) {}
    call_repetition(const call_repetition&) = delete;
    call_repetition& operator=(const call_repetition&) = delete;

    /// One after the other; only one where there is no policy, but for what no server has processed.
    [[nodiscard]] task<attempt_pointer> retry(const retry_policy* policy);
    /// Beside each other. Those that do not count are dropped.
    [[nodiscard]] task<attempt_pointer> hedge(const hedging_policy& policy);

private:
    class hedged_attempts;

    /// Repeats what no server has processed.
    [[nodiscard]] task<attempt_pointer> try_once(unsigned previous);
    /// Counts it. Returns whether there may be more.
    [[nodiscard]] bool note_failure() noexcept;

    maker make_;
    unique_function<bool()> may_repeat_;
    retry_throttle* throttle_;
};

}  // namespace eddy::rpc::detail
