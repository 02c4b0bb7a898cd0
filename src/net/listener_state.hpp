#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/io/detail/operation.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>
#include <eddy/runtime/detail/worker_descriptor.hpp>
#include <eddy/runtime/worker.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace eddy::detail {

/// The part of a listener that cannot move: its descriptor, the accept that stays active between calls, and
/// the connections that were not taken yet.
///
/// Invariants:
/// 1. The accept stays active while fewer than `waiting_max` connections wait here; beyond that they wait in
///    the system's backlog.
/// 2. While descriptors or memory are short the accept pauses, and is begun again by a timer if a task waits
///    then: the connection that could not be accepted stays in the backlog, so that trying at once would fail
///    for ever.
class listener_state : public worker_descriptor {
public:
    listener_state(worker_core& home, int descriptor);

    /// The end of the owner's interest: the state frees itself once its accept has ended.
    void abandon() noexcept;
    void close() noexcept;
    /// Releases the descriptor to the caller. Requires: no task has waited for a connection.
    [[nodiscard]] int release() noexcept;

    [[nodiscard]] bool has_answer() const noexcept { return next_ != waiting_.size() || error_ != 0; }
    /// Makes `acceptor` ready once there is an answer.
    void wait_for_answer(job& acceptor) noexcept;
    void forget_acceptor() noexcept { acceptor_ = nullptr; }
    [[nodiscard]] bool has_acceptor() const noexcept { return acceptor_ != nullptr; }
    /// A connection's descriptor or an error. Requires: has_answer().
    [[nodiscard]] int take() noexcept;
    [[nodiscard]] std::uint64_t shortages() const noexcept { return shortages_; }
    void on_shortage(std::function<void()> reported) noexcept { on_shortage_ = std::move(reported); }

private:
    listener_state(worker_core& home, int descriptor, std::vector<int> waiting) noexcept;
    ~listener_state() = default;

    static constexpr std::size_t waiting_max = 256;
    static constexpr duration rest_time = std::chrono::milliseconds(20);

    static void on_accepted(io::operation& accepting, const io::completion& outcome) noexcept;
    void accept_outcome(const io::completion& outcome) noexcept;
    void keep(int connection) noexcept;
    void go_on() noexcept;
    void rest() noexcept;

    int error_ = 0;  // negative: for the next accept
    bool is_abandoned_ = false;
    job* acceptor_ = nullptr;
    // Connections from next_ on wait; the vector is emptied when the last was taken.
    std::vector<int> waiting_;
    std::size_t next_ = 0;
    struct multishot_accept : io::operation {
        explicit multishot_accept(listener_state& state) noexcept
            : operation(io::opcode::accept_multishot, &on_accepted), owner(state) {}
        listener_state& owner;
    };
    multishot_accept accepting_{*this};
    struct resting_timer : timer {
        explicit resting_timer(listener_state& state) noexcept : timer(&end_rest), owner(state) {}
        listener_state& owner;
    };
    static void end_rest(timer& fired) noexcept;
    resting_timer resting_{*this};
    std::uint64_t shortages_ = 0;
    std::function<void()> on_shortage_;
};

}  // namespace eddy::detail
