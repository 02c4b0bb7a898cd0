#pragma once

#include "pipeline/frame.hpp"
#include "pipeline/outbox.hpp"
#include "pipeline/upstream_options.hpp"
#include "pipeline/upstream_result.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <system_error>
#include <vector>

namespace eddy::apps {

/// One connection to the upstream service, shared by all calls of a worker: calls that are made in one turn
/// leave in one write, responses come in any order. A connection that is lost is made again.
///
/// - Ownership: destroying it ends the connection; calls that wait get operation_canceled.
/// - Errors: a call that is made while the service is away fails at once, one that is made while the
///   connection is being established waits for that; none waits longer than the time-out by more than a
///   sixteenth.
/// - Thread safety: none; it belongs to the worker on which it was made.
class upstream_client {
public:
    explicit upstream_client(const upstream_options& options);
    upstream_client(const upstream_client&) = delete;
    upstream_client& operator=(const upstream_client&) = delete;
    ~upstream_client();

    /// Sends a request and returns the response. Dropped: the call is forgotten, and the response ignored
    /// when it comes.
    [[nodiscard]] task<upstream_result> call(std::uint64_t value);
    /// The same, with a function that is called with the result, perhaps before this returns.
    void call(std::uint64_t value, upstream_continuation next);

private:
    class claim;

    /// The call that waits under an id. The generation distinguishes a response to a call that was forgotten
    /// from one to its successor.
    struct slot {
        upstream_continuation waiting;
        std::uint32_t generation = 0;
        time_point asked_at;
    };

    /// Sends a request. Returns the id under which `next` waits, or leaves it where it is.
    [[nodiscard]] std::expected<std::uint64_t, std::error_code> begin(std::uint64_t value,
                                                                      upstream_continuation& next);
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
