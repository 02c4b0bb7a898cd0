#pragma once

#include <eddy/core/task.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/integrations/execution/detail/standard.hpp>
#include <eddy/integrations/execution/scheduler.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/sync/event.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace eddy::execution {

namespace detail {

/// What awaits a sender, as far as it can be known before the sender.
class awaited_base {
public:
    awaited_base() noexcept : home_(scheduler::this_worker()) {}
    awaited_base(const awaited_base&) = delete;
    awaited_base& operator=(const awaited_base&) = delete;

    [[nodiscard]] standard::inplace_stop_token token() const noexcept { return stop_.get_token(); }
    [[nodiscard]] const scheduler& home() const noexcept { return home_; }

    [[nodiscard]] auto wait() noexcept { return done_.wait(); }
    /// The awaiting frame is gone, or has what it waited for.
    void abandon() noexcept {
        if (!done_.is_set())
            stop_.request_stop();
        release();
    }

protected:
    virtual ~awaited_base() = default;
    /// The sender has completed: the last that is done for it.
    void finish() noexcept {
        done_.set();
        release();
    }
    void start() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }

private:
    void release() noexcept {
        if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete this;
    }

    scheduler home_;
    standard::inplace_stop_source stop_;
    event<> done_;
    eddy::detail::atomic<int> references_{1};  // the awaiting frame, and the operation once it is started
};

/// The environment of a sender that a task awaits.
class awaiting_env {
public:
    explicit awaiting_env(const awaited_base& awaited) noexcept : awaited_(&awaited) {}
    [[nodiscard]] standard::inplace_stop_token query(standard::get_stop_token_t) const noexcept {
        return awaited_->token();
    }
    [[nodiscard]] scheduler query(standard::get_scheduler_t) const noexcept { return awaited_->home(); }

private:
    const awaited_base* awaited_;
};

/// What a task has of the values that a sender completes with.
template <class... Ways>
struct only_way {
    static_assert(sizeof...(Ways) == 1, "a sender that a task awaits has one way to complete with values");
};
template <class Way>
struct only_way<Way> {
    using type = Way;
};
template <class... Values>
struct joined_values {
    using type = std::tuple<Values...>;
};
template <>
struct joined_values<> {
    using type = void;
};
template <class Value>
struct joined_values<Value> {
    using type = Value;
};
template <class... Values>
using joined = joined_values<std::decay_t<Values>...>;

/// An operation and what it completes with. It outlives the frame that awaits it until it has completed, since an operation
/// state must not be destroyed before.
template <class Sender>
class awaited_sender final : public awaited_base {
public:
    using value_type =
        typename standard::value_types_of_t<Sender, awaiting_env, joined, only_way>::type::type;

    explicit awaited_sender(Sender&& sender)
        : operation_(standard::connect(std::move(sender), receiver(*this))) {}

    void start() noexcept {
        awaited_base::start();
        standard::start(operation_);
    }
    /// Returns the value or throws the error. Requires: it has completed.
    value_type take() {
        if (error_)
            std::rethrow_exception(std::move(error_));
        if (!value_)
            throw std::system_error(std::make_error_code(std::errc::operation_canceled),
                                    "a sender was stopped");
        if constexpr (!std::is_void_v<value_type>)
            return std::move(*value_);
    }

private:
    class receiver {
    public:
        using receiver_concept = standard::receiver_tag;

        explicit receiver(awaited_sender& awaited) noexcept : awaited_(&awaited) {}
        template <class... Values>
        void set_value(Values&&... values) && noexcept {
            try {
                awaited_->value_.emplace(std::forward<Values>(values)...);
            } catch (...) {
                awaited_->error_ = std::current_exception();
            }
            awaited_->finish();
        }
        template <class Error>
        void set_error(Error&& error) && noexcept {
            if constexpr (std::is_same_v<std::decay_t<Error>, std::exception_ptr>)
                awaited_->error_ = std::forward<Error>(error);
            else if constexpr (std::is_same_v<std::decay_t<Error>, std::error_code>)
                awaited_->error_ = std::make_exception_ptr(std::system_error(error));
            else
                awaited_->error_ = std::make_exception_ptr(std::forward<Error>(error));
            awaited_->finish();
        }
        void set_stopped() && noexcept { awaited_->finish(); }
        [[nodiscard]] awaiting_env get_env() const noexcept { return awaiting_env(*awaited_); }

    private:
        awaited_sender* awaited_;
    };

    std::exception_ptr error_;
    std::optional<std::conditional_t<std::is_void_v<value_type>, std::monostate, value_type>> value_;
    standard::connect_result_t<Sender, receiver> operation_;
};

struct abandon_awaited {
    void operator()(awaited_base* awaited) const noexcept { awaited->abandon(); }
};

}  // namespace detail

/// What `co_await as_task(sender)` returns: nothing, the value that the sender completes with, or a std::tuple of several.
template <class Sender>
using sender_result_t = typename detail::awaited_sender<std::remove_cvref_t<Sender>>::value_type;

/// Makes a task of a sender: `co_await as_task(sender)` connects it, starts it on this worker, and returns what it completes
/// with.
///
/// - Ownership: the sender is moved or copied in. The operation and what it refers to are its own: it may outlive the frame
///   that awaits it (below), so it must not refer to what that owns.
/// - Where the awaiting task resumes: in its own worker's loop, whichever thread the sender completes on.
/// - Environment: get_stop_token() is stopped by a drop; get_scheduler() is the awaiting worker's.
/// - Cancellation: a drop requests the sender to stop and does not wait. A sender that completes inside the request, as one of
///   schedule() or a timer may, is gone when the drop returns. Another one completes when it can, on its own thread, and its
///   operation lives until then, with what it completes with: an operation state must not be destroyed before. If nothing of it
///   may remain use `co_await shield(as_task(sender))`, where the drop waits for the end.
/// - Errors: an std::exception_ptr is rethrown, an std::error_code thrown as std::system_error, any other error as it is;
///   std::system_error with operation_canceled if the sender was stopped, as one may be without a drop.
/// - Cost: a block of memory for the operation, and a frame.
/// - Source: [exec.as.awaitable], for senders with at most one way to complete with values.
///
/// Requires: the sender completes before the runtime ends if it uses the scheduler.
template <class Sender>
    requires detail::standard::sender<std::remove_cvref_t<Sender>>
[[nodiscard]] task<sender_result_t<Sender>> as_task(Sender sender) {
    const std::unique_ptr<detail::awaited_sender<Sender>, detail::abandon_awaited> awaited(
        new detail::awaited_sender<Sender>(std::move(sender)));
    awaited->start();
    co_await awaited->wait();
    co_return awaited->take();
}

}  // namespace eddy::execution
