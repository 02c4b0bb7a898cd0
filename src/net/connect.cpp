#include <eddy/core/spawn.hpp>
#include <eddy/net/connect.hpp>
#include <eddy/net/resolver.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/worker.hpp>

#include <exception>
#include <optional>
#include <system_error>
#include <utility>

namespace eddy {

namespace {

/// What the attempts share with the task that has begun them. Lives in its frame, before them.
class contest {
public:
    contest() = default;
    contest(const contest&) = delete;
    contest& operator=(const contest&) = delete;

    void begin() noexcept { ++running_; }
    void win(tcp_stream connected) noexcept {
        if (!winner_)
            winner_ = std::move(connected);
        end();
    }
    /// An address has failed; the others may do better.
    void fail(std::exception_ptr error) noexcept {
        if (first_error_ == nullptr)
            first_error_ = std::move(error);
        end();
    }
    /// This process has failed, at which no other address can help.
    void give_up(std::exception_ptr error) noexcept {
        first_error_ = std::move(error);
        is_given_up_ = true;
        end();
    }

    /// Awaits the end of an attempt, or the deadline if there is one.
    class news {
    public:
        news(contest& awaited, std::optional<time_point> deadline) noexcept
            : contest_(awaited), deadline_(deadline) {}
        news(const news&) = delete;
        news& operator=(const news&) = delete;
        ~news() {
            contest_.timer_.unlink();
            contest_.waiter_ = nullptr;
        }
        bool await_ready() const noexcept { return false; }
        void await_suspend(detail::suspension point) noexcept {
            detail::worker_core& here = detail::worker_core::current();
            contest_.waiter_ = &here.loop().suspend(point);
            if (deadline_)
                here.timers().arm(contest_.timer_, *deadline_);
        }
        void await_resume() const noexcept {}

    private:
        contest& contest_;
        std::optional<time_point> deadline_;
    };

    [[nodiscard]] bool has_winner() const noexcept { return winner_.has_value(); }
    [[nodiscard]] bool is_given_up() const noexcept { return is_given_up_; }
    [[nodiscard]] tcp_stream take_winner() { return std::move(*winner_); }
    [[noreturn]] void throw_first_error() const { std::rethrow_exception(first_error_); }
    [[nodiscard]] bool is_running() const noexcept { return running_ != 0; }

private:
    struct turn_timer : detail::timer {
        explicit turn_timer(contest& timed) noexcept : timer(&fire), owner(timed) {}
        static void fire(detail::timer& fired) noexcept {
            detail::job*& waiting = static_cast<turn_timer&>(fired).owner.waiter_;
            detail::job& waiter = *std::exchange(waiting, nullptr);
            waiter.loop().make_ready(waiter);
        }
        contest& owner;
    };

    void end() noexcept {
        --running_;
        if (detail::job* const waiter = std::exchange(waiter_, nullptr)) {
            timer_.unlink();
            waiter->loop().make_ready(*waiter);
        }
    }

    std::size_t running_ = 0;
    detail::job* waiter_ = nullptr;
    turn_timer timer_{*this};
    std::optional<tcp_stream> winner_;
    std::exception_ptr first_error_;
    bool is_given_up_ = false;
};

task<> attempt(contest& shared, endpoint to, connect_options options) {
    try {
        tcp_stream connected = co_await tcp_stream::connect(to, options);
        shared.win(std::move(connected));
    } catch (const std::system_error&) {
        shared.fail(std::current_exception());
    } catch (...) {
        shared.give_up(std::current_exception());
    }
}

/// Leaves those that can be reached from where the options say.
void keep_reachable(std::vector<endpoint>& candidates, const connect_options& options) {
    if (!options.from())
        return;
    std::erase_if(candidates, [family = options.from()->address_family()](const endpoint& candidate) {
        return candidate.address_family() != family;
    });
    if (candidates.empty())
        throw std::system_error(std::make_error_code(std::errc::address_family_not_supported), "connect");
}

}  // namespace

std::vector<endpoint> in_turns(const std::vector<endpoint>& sorted) {
    std::vector<endpoint> ordered;
    ordered.reserve(sorted.size());
    const auto next_of = [&](auto at, bool of_first_family) {
        while (at != sorted.end() &&
               (at->address_family() == sorted.front().address_family()) != of_first_family)
            ++at;
        return at;
    };
    auto first = next_of(sorted.begin(), true);
    auto second = next_of(sorted.begin(), false);
    while (first != sorted.end() || second != sorted.end()) {
        if (first != sorted.end()) {
            ordered.push_back(*first);
            first = next_of(first + 1, true);
        }
        if (second != sorted.end()) {
            ordered.push_back(*second);
            second = next_of(second + 1, false);
        }
    }
    return ordered;
}

task<tcp_stream> connect_to_first(std::vector<endpoint> candidates, duration attempt_delay,
                                  connect_options options) {
    EDDY_ASSERT(!candidates.empty(), "there is an address to connect to");
    keep_reachable(candidates, options);
    contest shared;
    std::vector<handle<>> attempts;
    attempts.reserve(candidates.size());
    for (std::size_t begun = 0;;) {
        const bool has_next = begun < candidates.size();
        if (has_next) {
            attempts.push_back(spawn(attempt(shared, candidates[begun++], options)));
            shared.begin();
        }
        const bool has_more = begun < candidates.size();
        std::optional<time_point> deadline;
        if (has_more)
            deadline = detail::deadline_after(worker::current().now(), attempt_delay);
        contest::news news(shared, deadline);
        co_await news;
        if (shared.has_winner())
            co_return shared.take_winner();
        if (shared.is_given_up() || (!has_more && !shared.is_running()))
            shared.throw_first_error();
    }
}

task<tcp_stream> connect(std::string host, std::uint16_t port, connect_options options) {
    const std::vector<endpoint> found = co_await resolve(std::move(host), std::to_string(port));
    co_return co_await connect_to_first(in_turns(found), connection_attempt_delay, options);
}

}  // namespace eddy
