#pragma once

#include "rpc/call_attempt.hpp"
#include "rpc/retry_throttle.hpp"
#include "rpc/service_config.hpp"

#include <eddy/core/task.hpp>

namespace eddy::rpc::detail {

/// A call, of which attempts are made.
class attempted_call {
public:
    attempted_call() = default;
    attempted_call(const attempted_call&) = delete;
    attempted_call& operator=(const attempted_call&) = delete;

    /// Makes an attempt, the one after so many.
    [[nodiscard]] virtual task<attempt_pointer> attempt(unsigned previous) = 0;
    /// Whether all of the request is still there.
    [[nodiscard]] virtual bool may_repeat() const noexcept = 0;

protected:
    ~attempted_call() = default;
};

/// Makes attempts of a call until one counts: its response begins, or it fails in a way that is not repeated
/// (gRFC A6).
class call_repetition {
public:
    call_repetition(attempted_call& of, retry_throttle* throttle) noexcept : of_(of), throttle_(throttle) {}
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

    attempted_call& of_;
    retry_throttle* throttle_;
};

}  // namespace eddy::rpc::detail
