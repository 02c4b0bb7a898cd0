#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/io/detail/awaited_readiness.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/os/child.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace eddy {

namespace {

using detail::child_state;

/// Awaits the end of a child.
detail::awaited_readiness end_of(const io::process& awaited) noexcept {
    return {detail::worker_core::current().backend(), io::opcode::await_readable, awaited.descriptor()};
}

/// Sends SIGTERM to the process, and kills it if it has not ended in time. Requires: it has not been reaped.
task<> send_end(std::shared_ptr<child_state> ended, duration grace) {
    if (grace > duration::zero() && ended->process.send(SIGTERM) == 0) {
        auto end =
            with_deadline(end_of(ended->process), detail::deadline_after(worker::current().now(), grace));
        static_cast<void>(co_await as_result(std::move(end)));
    }
    // Also where it has ended, for the rest of its group: the group's number is not reused until the process
    // is reaped.
    ended->process.send(SIGKILL);
}

/// Waits for the end of a dropped child, after `ending` has sent the signal. An error cannot be reported, so
/// it tries again after a while; and it allocates nothing once it has begun.
task<> see_to_its_end(std::shared_ptr<child_state> left, task<> ending) {
    constexpr std::chrono::milliseconds until_next_look(20);
    if (!left->runs_on)
        co_await std::move(ending);
    while (!left->look()) {
        auto end = end_of(left->process);
        const auto outcome = co_await as_result(std::move(end));
        if (!outcome)
            co_await sleep_for(until_next_look);
    }
}

task<exit_status> wait_for_end(std::shared_ptr<child_state> awaited) {
    while (!awaited->look())
        co_await end_of(awaited->process);
    co_return exit_status(*awaited->end);
}

task<exit_status> stop_and_wait(std::shared_ptr<child_state> stopped, duration grace) {
    if (!stopped->end)
        co_await send_end(stopped, grace);
    co_return co_await wait_for_end(stopped);
}

}  // namespace

void detail::end_child(const std::shared_ptr<child_state>& ended) noexcept {
    if (ended->end)
        return;
    try {
        if (ended->grace == duration::zero())
            ended->process.send(SIGKILL);
        spawn(see_to_its_end(ended, send_end(ended, ended->grace)), "the end of a child").detach();
    } catch (const std::exception&) {  // memory is out: what owned the child has ended it
    }
}

task<exit_status> child::wait() {
    EDDY_ASSERT(state_ != nullptr, "a child is waited for that was neither detached nor moved");
    return wait_for_end(state_);
}

task<exit_status> child::stop(duration grace) {
    EDDY_ASSERT(state_ != nullptr, "a child is stopped that was neither detached nor moved");
    return stop_and_wait(state_, grace);
}

std::optional<exit_status> child::poll() noexcept {
    if (!state_->look())
        return std::nullopt;
    return exit_status(*state_->end);
}

bool child::send(int signal) {
    EDDY_ASSERT(state_ != nullptr, "a child is sent a signal that was neither detached nor moved");
    if (state_->look())
        return false;
    const int result = state_->process.send(signal);
    if (result < 0 && result != -ESRCH)
        io::throw_error(result, "kill");
    return result == 0;
}

bool child::terminate() {
    return send(SIGTERM);
}

bool child::kill() {
    return send(SIGKILL);
}

void child::detach() {
    spawn(see_to_its_end(state_, task<>()), "a detached child").detach();
    state_->runs_on = true;  // it is looked at by the worker's next turn only
    state_.reset();
}

}  // namespace eddy
