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

#include <charconv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <list>
#include <string_view>
#include <system_error>

namespace eddy::rpc::detail {
namespace {

// Of attempts that no server has processed.
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

task<call_attempt> call_repetition::try_once(unsigned previous) {
    for (unsigned refusals = 0;; ++refusals) {
        call_attempt made = co_await make_(previous);
        if (!made.was_refused || refusals == refusals_max || !may_repeat_())
            co_return made;
    }
}

bool call_repetition::note_failure() noexcept {
    if (throttle_ == nullptr)
        return true;
    throttle_->note_failure();
    return throttle_->allows();
}

task<call_attempt> call_repetition::retry(const retry_policy* policy) {
    if (policy == nullptr)
        co_return co_await try_once(0);
    eddy::detail::growing_wait waits(policy->first, policy->most, policy->factor);
    for (unsigned previous = 0;;) {
        call_attempt made = co_await try_once(previous);
        if (made.counts() || !policy->retried.contains(made.end->code()))
            co_return made;
        const bool is_allowed = note_failure();
        const pushback said = pushback_of(made);
        if (!is_allowed || ++previous == policy->attempts_max || !may_repeat_() ||
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

    void start(unsigned previous) {
        attempt& made = running_.emplace_back();
        made.work = spawn(run(*this, made, previous), "attempt");
    }
    /// One that has ended, which is taken out. Throws what it has thrown.
    [[nodiscard]] std::optional<call_attempt> take_ended() {
        for (auto at = running_.begin(); at != running_.end(); ++at) {
            if (!at->has_ended)
                continue;
            const std::exception_ptr failure = at->failure;
            std::optional<call_attempt> result = std::move(at->result);
            running_.erase(at);
            if (failure)
                std::rethrow_exception(failure);
            return result;
        }
        return std::nullopt;
    }
    [[nodiscard]] bool empty() const noexcept { return running_.empty(); }

    auto_reset_event news;

private:
    struct attempt {
        std::optional<call_attempt> result;
        std::exception_ptr failure;
        bool has_ended = false;
        handle<> work;
    };

    static task<> run(hedged_attempts& self, attempt& made, unsigned previous) {
        try {
            made.result = co_await self.of_.try_once(previous);
        } catch (...) {
            made.failure = std::current_exception();
        }
        made.has_ended = true;
        self.news.set();
    }

    call_repetition& of_;
    std::list<attempt> running_;
};

task<call_attempt> call_repetition::hedge(const hedging_policy& policy) {
    hedged_attempts attempts(*this);
    std::optional<call_attempt> last;
    time_point next = worker::current().turn_time();
    bool may_begin = true;
    for (unsigned begun = 0;;) {
        while (auto ended = attempts.take_ended()) {
            // Where the request is no longer all there, one of those under way has been chosen.
            const bool is_fatal = !ended->counts() && !policy.not_fatal.contains(ended->end->code());
            if (ended->counts() || (is_fatal && (may_repeat_() || attempts.empty())))
                co_return std::move(*ended);
            const pushback said = pushback_of(*ended);
            may_begin = note_failure() && may_begin && (!said.is_said || said.wait);
            next = eddy::detail::deadline_after(worker::current().turn_time(),
                                                said.wait.value_or(duration::zero()));
            last = std::move(*ended);
        }
        const bool is_allowed =
            begun == 0 || (may_begin && may_repeat_() && (throttle_ == nullptr || throttle_->allows()));
        const bool has_more = begun < policy.attempts_max && is_allowed;
        if (!has_more && attempts.empty())
            co_return std::move(*last);
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
