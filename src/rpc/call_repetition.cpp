#include "rpc/call_repetition.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/detail/growing_wait.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

namespace eddy::rpc::detail {
namespace {

// How often a request is sent again that no server has processed, to whichever the channel picks.
constexpr unsigned refusals_max = 5;

/// What grpc-retry-pushback-ms says.
struct pushback {
    bool is_said = false;
    std::optional<duration> wait;  ///< none: not again
};

pushback pushback_of(const call_attempt& failed) {
    const auto text = failed.trailing.find("grpc-retry-pushback-ms");
    if (!text)
        return {};
    std::int64_t ms = 0;
    const char* const end = text->data() + text->size();
    const auto parsed = std::from_chars(text->data(), end, ms);
    pushback said{.is_said = true, .wait = {}};
    if (parsed.ec == std::errc() && parsed.ptr == end && ms >= 0)
        said.wait = eddy::detail::saturated(std::chrono::milliseconds(ms));
    return said;
}

}  // namespace

task<attempt_pointer> call_repetition::try_once(unsigned previous) {
    for (unsigned refusals = 0;; ++refusals) {
        attempt_pointer made = co_await of_.attempt(previous);
        if (!made->was_refused || refusals == refusals_max || !of_.may_repeat())
            co_return made;
    }
}

bool call_repetition::note_failure() noexcept {
    if (throttle_ == nullptr)
        return true;
    throttle_->note_failure();
    return throttle_->allows();
}

task<attempt_pointer> call_repetition::retry(const retry_policy* policy) {
    if (policy == nullptr)
        co_return co_await try_once(0);
    eddy::detail::growing_wait waits(policy->first, policy->most, policy->factor);
    for (unsigned previous = 0;;) {
        attempt_pointer made = co_await try_once(previous);
        if (made->counts() || !policy->retried.contains(made->end->code()))
            co_return made;
        const bool is_allowed = note_failure();
        const pushback said = pushback_of(*made);
        if (!is_allowed || ++previous == policy->attempts_max || !of_.may_repeat() ||
            (said.is_said && !said.wait))
            co_return made;
        if (said.is_said)
            waits.reset();
        const duration wait = said.is_said ? *said.wait : waits.next();
        co_await sleep_for(wait);
    }
}

/// Those that are under way.
class call_repetition::hedged_attempts {
public:
    explicit hedged_attempts(call_repetition& of) noexcept : of_(of) {}

    void start(unsigned previous) { running_.push_back(spawn(run(*this, previous), "attempt")); }
    /// One that has ended, which is taken out; null where none has. Throws what it has thrown.
    [[nodiscard]] attempt_pointer take_ended() {
        const auto ended = std::ranges::find_if(running_, [](const auto& each) { return each.done(); });
        if (ended == running_.end())
            return nullptr;
        handle<attempt_pointer> taken = std::move(*ended);
        running_.erase(ended);
        return taken.get();
    }
    [[nodiscard]] bool empty() const noexcept { return running_.empty(); }

    auto_reset_event news;

private:
    static task<attempt_pointer> run(hedged_attempts& self, unsigned previous) {
        const auto tell = [](auto_reset_event* to) { to->set(); };
        const std::unique_ptr<auto_reset_event, decltype(tell)> at_end(&self.news);
        co_return co_await self.of_.try_once(previous);
    }

    call_repetition& of_;
    std::vector<handle<attempt_pointer>> running_;
};

task<attempt_pointer> call_repetition::hedge(const hedging_policy& policy) {
    hedged_attempts attempts(*this);
    attempt_pointer last;
    time_point next = worker::current().turn_time();
    bool may_begin = true;
    for (unsigned begun = 0;;) {
        while (auto ended = attempts.take_ended()) {
            // Where the request is no longer all there, one of those under way has been chosen.
            const bool is_fatal = !ended->counts() && !policy.not_fatal.contains(ended->end->code());
            if (ended->counts() || (is_fatal && (of_.may_repeat() || attempts.empty())))
                co_return ended;
            const pushback said = pushback_of(*ended);
            may_begin = note_failure() && may_begin && (!said.is_said || said.wait);
            next = eddy::detail::deadline_after(worker::current().turn_time(),
                                                said.wait.value_or(duration::zero()));
            last = std::move(ended);
        }
        const bool is_allowed =
            begun == 0 || (may_begin && of_.may_repeat() && (throttle_ == nullptr || throttle_->allows()));
        const bool has_more = begun < policy.attempts_max && is_allowed;
        if (!has_more && attempts.empty())
            co_return last;
        if (has_more && worker::current().turn_time() >= next) {
            attempts.start(begun++);
            next = eddy::detail::deadline_after(worker::current().turn_time(), policy.delay);
            continue;
        }
        const time_point until = has_more ? next : time_point::max();
        static_cast<void>(co_await as_result(with_deadline(attempts.news.wait(), until)));
    }
}

}  // namespace eddy::rpc::detail
