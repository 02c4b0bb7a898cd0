#pragma once

#include "pipeline/frame.hpp"
#include "pipeline/outbox.hpp"
#include "pipeline/upstream_call.hpp"
#include "pipeline/upstream_options.hpp"

#include <eddy/base/clock.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/core/task.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <system_error>
#include <vector>

namespace eddy::apps {

/// One connection to the upstream service, shared by all calls of a worker: questions that are asked in one
/// turn leave in one write, answers come in any order. A connection that is lost is made again.
///
/// - Ownership: destroying it ends the connection; calls that wait get operation_canceled.
/// - Errors: a call that is made while the service is away fails at once, one that is made while the
///   connection comes about waits for that; none waits longer than the time-out by more than a sixteenth.
/// - Thread safety: none; it belongs to the worker on which it was made.
class upstream_client {
public:
    explicit upstream_client(const upstream_options& options);
    upstream_client(const upstream_client&) = delete;
    upstream_client& operator=(const upstream_client&) = delete;
    ~upstream_client();

    /// `co_await client.call(value)` gives an upstream_result.
    [[nodiscard]] awaited_call call(std::uint64_t value) noexcept { return {*this, value}; }
    /// The same, with a function that is called with the result, perhaps before this returns.
    void call(std::uint64_t value, continued_call::continuation next);

private:
    friend awaited_call;

    /// Who waits under an id. The generation tells an answer to a call that was forgotten from one to its
    /// successor.
    struct slot {
        upstream_call* waiting = nullptr;
        std::uint32_t generation = 0;
        time_point deadline;
    };

    /// Asks; gives the id under which `waiting` waits.
    [[nodiscard]] std::expected<std::uint64_t, std::error_code> begin(std::uint64_t value,
                                                                      upstream_call& waiting);
    void forget(std::uint64_t id) noexcept;
    void finish(std::size_t index, upstream_result result) noexcept;
    void take_answer(const frame& answer) noexcept;
    void fail_all(std::error_code why) noexcept;
    void fail_late() noexcept;
    [[nodiscard]] slot* find(std::uint64_t id) noexcept;

    [[nodiscard]] task<> keep_connected();
    [[nodiscard]] task<> exchange_frames(tcp_stream connection);
    [[nodiscard]] task<> take_answers(tcp_stream& connection);

    upstream_options options_;
    bool is_away_ = false;
    std::vector<slot> slots_;  // room for calls_max from the start, as for free_slots_
    std::vector<std::uint32_t> free_slots_;
    outbox questions_;
    task_set running_;
};

}  // namespace eddy::apps
