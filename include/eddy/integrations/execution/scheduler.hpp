#pragma once

#include <eddy/integrations/execution/detail/standard.hpp>
#include <eddy/runtime/executor.hpp>

#include <exception>
#include <utility>

namespace eddy::execution {

namespace detail {

/// A function posted to a place: whether it is called there or destroyed, it completes the operation.
template <class Operation>
class arrival {
public:
    explicit arrival(Operation& operation) noexcept : operation_(&operation) {}
    arrival(arrival&& other) noexcept : operation_(other.release()) {}
    arrival& operator=(arrival&&) = delete;
    ~arrival() {
        if (operation_ != nullptr)
            release()->complete_stopped();
    }
    void operator()() noexcept { release()->complete(); }
    /// Returns the operation, null if it has been moved on, and completes it no more.
    Operation* release() noexcept { return std::exchange(operation_, nullptr); }

private:
    Operation* operation_;
};

template <class Receiver>
class schedule_operation {
public:
    using operation_state_concept = standard::operation_state_tag;

    schedule_operation(executor where, Receiver receiver) : where_(where), receiver_(std::move(receiver)) {}
    schedule_operation(schedule_operation&&) = delete;

    void start() & noexcept {
        if (is_stopped())
            return complete_stopped();
        arrival posted(*this);
        try {
            where_.post(std::move(posted));
            // It may have completed by now, and be gone.
        } catch (...) {
            if (posted.release() != nullptr)
                standard::set_error(std::move(receiver_), std::current_exception());
        }
    }

private:
    friend class arrival<schedule_operation>;

    void complete() noexcept {
        if (is_stopped())
            complete_stopped();
        else
            standard::set_value(std::move(receiver_));
    }
    void complete_stopped() noexcept { standard::set_stopped(std::move(receiver_)); }
    [[nodiscard]] bool is_stopped() const noexcept {
        return standard::get_stop_token(standard::get_env(receiver_)).stop_requested();
    }

    executor where_;
    Receiver receiver_;
};

}  // namespace detail

/// Schedules work of std::execution where an executor runs functions: on a worker, on any worker of a runtime, on its
/// offload pool. `starts_on(scheduler(executor::of_worker(runtime, 0)), sender)` starts a sender there.
///
/// - Ownership: a small value that refers to what the executor refers to. Requires: that outlives the operations.
/// - Thread safety: any thread may start an operation of schedule(), as long as the runtime exists.
/// - Completion: set_value() in the loop of the worker, outside of any task, so that what follows may spawn tasks;
///   set_stopped() if the receiver's stop token is stopped when the operation is started or when its turn has come, or if
///   the runtime ends before; set_error(std::exception_ptr) with what executor::post() throws.
/// - Cost: the operation state and a posted function; no allocation on workers.
/// - Two schedulers are equal if they name the same place.
/// - Source: [exec.sched].
class scheduler {
public:
    using scheduler_concept = detail::standard::scheduler_tag;

    /// Requires: `where` names a place.
    explicit scheduler(executor where) noexcept : where_(where) {}
    /// The worker of the caller. Requires: the caller is on a worker.
    [[nodiscard]] static scheduler this_worker() noexcept { return scheduler(executor::this_worker()); }

    /// The executor.
    [[nodiscard]] const executor& where() const noexcept { return where_; }

    /// What schedule() returns: completes in the place.
    class sender {
    public:
        using sender_concept = detail::standard::sender_tag;
        using completion_signatures =
            detail::standard::completion_signatures<detail::standard::set_value_t(),
                                                    detail::standard::set_error_t(std::exception_ptr),
                                                    detail::standard::set_stopped_t()>;
        template <class Self, class... Env>
        static consteval completion_signatures get_completion_signatures() noexcept {
            return {};
        }

        /// Made by schedule().
        explicit sender(executor where) noexcept : where_(where) {}

        template <class Receiver>
        [[nodiscard]] detail::schedule_operation<Receiver> connect(Receiver receiver) const {
            return {where_, std::move(receiver)};
        }

        /// Where it completes.
        class attributes {
        public:
            /// Made by get_env().
            explicit attributes(executor where) noexcept : where_(where) {}
            template <class Completion, class... Env>
            [[nodiscard]] scheduler query(detail::standard::get_completion_scheduler_t<Completion>,
                                          const Env&...) const noexcept {
                return scheduler(where_);
            }

        private:
            executor where_;
        };
        [[nodiscard]] attributes get_env() const noexcept { return attributes(where_); }

    private:
        executor where_;
    };
    /// A sender that completes on the executor.
    [[nodiscard]] sender schedule() const noexcept { return sender(where_); }

    friend bool operator==(const scheduler&, const scheduler&) noexcept = default;

private:
    executor where_;
};

}  // namespace eddy::execution
