#include <eddy/core/spawn.hpp>
#include <eddy/io/awaited_operation.hpp>
#include <eddy/os/child.hpp>
#include <eddy/runtime/deadline.hpp>
#include <eddy/runtime/timer_wheel.hpp>
#include <eddy/runtime/worker.hpp>

#include <cerrno>
#include <csignal>
#include <exception>

namespace eddy {

namespace {

using detail::child_state;

/// Awaits the end of a child, for some time at the most.
class awaited_end : public io::awaited_operation<io::operation> {
public:
    explicit awaited_end(const child_state& awaited, std::optional<duration> limit = std::nullopt) noexcept
        : awaited_operation(awaited.end_descriptor.carrier(), io::opcode::await_readable, &on_ended),
          limit_(limit) {
        descriptor = awaited.end_descriptor.get();
    }
    awaited_end(const awaited_end&) = delete;
    awaited_end& operator=(const awaited_end&) = delete;
    ~awaited_end() = default;

    void await_suspend(detail::suspension point) noexcept {
        if (limit_)
            worker::current().timers().arm(timer_, detail::deadline_after(carrier().now(), *limit_));
        awaited_operation::await_suspend(point);
    }
    /// Whether it has ended in time.
    bool await_resume() const {
        if (result() == -ECANCELED)
            return false;
        if (result() < 0)
            io::throw_error(result(), "waiting for a child");
        return true;
    }

private:
    struct limit_timer : detail::timer {
        explicit limit_timer(awaited_end& timed) noexcept : timer(&fired), owner(timed) {}
        static void fired(detail::timer& late) noexcept {
            awaited_end& ended = static_cast<limit_timer&>(late).owner;
            if (!ended.is_pending())
                return;  // its task is about to be resumed
            ended.interrupt();
            ended.end_with(ended.result());
        }
        void disarm() noexcept { unlink(); }
        awaited_end& owner;
    };

    static void on_ended(io::operation& ended, const io::completion& outcome) noexcept {
        auto& self = static_cast<awaited_end&>(ended);
        self.timer_.disarm();
        self.end_with(outcome.result);
    }

    std::optional<duration> limit_;
    limit_timer timer_{*this};
};

task<> collect(std::unique_ptr<child_state> awaited) {
    while (!awaited->look()) {
        awaited_end end(*awaited);
        co_await end;
    }
}

task<> terminate_and_collect(std::unique_ptr<child_state> ended) {
    if (ended->grace > duration::zero()) {
        ended->process.send(SIGTERM);
        awaited_end end(*ended, ended->grace);
        co_await end;
    }
    // Also where it has ended, for the rest of its group, whose number is its own until it is collected.
    ended->process.send(SIGKILL);
    co_await collect(std::move(ended));
}

}  // namespace

void detail::end_child(std::unique_ptr<child_state> ended) noexcept {
    if (ended->end)
        return;
    try {
        if (ended->grace == duration::zero())
            ended->process.send(SIGKILL);
        spawn(terminate_and_collect(std::move(ended)), "the end of a child").detach();
    } catch (const std::exception&) {  // memory is out: what owned the child has ended it
    }
}

task<exit_status> child::wait() {
    child_state& awaited = *state_;
    while (!awaited.look()) {
        awaited_end end(awaited);
        co_await end;
    }
    co_return exit_status(*awaited.end);
}

std::optional<exit_status> child::poll() noexcept {
    if (!state_->look())
        return std::nullopt;
    return exit_status(*state_->end);
}

bool child::send(int signal) {
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
    child_state& kept = *state_;
    auto collecting = collect(std::move(state_));
    kept.runs_on = true;
    spawn(std::move(collecting), "a detached child").detach();
}

}  // namespace eddy
