#pragma once

#include <eddy/combine/detail/as_task.hpp>
#include <eddy/combine/race.hpp>
#include <eddy/core/awaitable.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/integrations/execution/detail/standard.hpp>
#include <eddy/sync/event.hpp>

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace eddy::execution {

namespace detail {

template <class T>
struct value_completion {
    using type = standard::set_value_t(T);
};
template <>
struct value_completion<void> {
    using type = standard::set_value_t();
};

/// Runs a task for a receiver, in a task of its own that nothing holds.
template <class T, class Receiver>
class task_operation {
public:
    using operation_state_concept = standard::operation_state_tag;

    task_operation(task<T> work, Receiver receiver)
        : work_(std::move(work)), receiver_(std::move(receiver)) {}
    task_operation(task_operation&&) = delete;

    void start() & noexcept {
        if (token().stop_requested()) {
            work_ = {};
            return standard::set_stopped(std::move(receiver_));
        }
        completion end(*this);
        try {
            auto started = spawn(run(std::move(end), std::move(work_)), "sender");
            is_started_ = true;
            started.detach();
        } catch (...) {
            standard::set_error(std::move(receiver_), std::current_exception());
        }
    }

private:
    using token_type = standard::stop_token_of_t<standard::env_of_t<Receiver>>;
    /// A request to stop may come from any thread.
    struct stop_request {
        event<>& requested;
        void operator()() noexcept { requested.set(); }
    };
    using stop_callback = standard::stop_callback_for_t<token_type, stop_request>;
    using outcome = std::variant<std::monostate, eddy::detail::value_or_monostate<T>, std::exception_ptr>;

    /// In the frame of the task that runs the work: whether that ends or is dropped, it completes the operation, which may
    /// be gone afterwards.
    class completion {
    public:
        explicit completion(task_operation& operation) noexcept : operation_(&operation) {}
        completion(completion&& other) noexcept : operation_(std::exchange(other.operation_, nullptr)) {}
        completion& operator=(completion&&) = delete;
        ~completion() {
            if (operation_ != nullptr && operation_->is_started_)
                complete({});
        }
        [[nodiscard]] task_operation& operation() const noexcept { return *operation_; }
        void complete(outcome&& with) noexcept {
            std::exchange(operation_, nullptr)->complete(std::move(with));
        }

    private:
        task_operation* operation_;
    };

    static task<> run(completion end, task<T> work) {
        auto& operation = end.operation();
        operation.callback_.emplace(operation.token(), stop_request{operation.stop_requested_});
        outcome result;
        try {
            auto first = co_await race(std::move(work), operation.stop_requested_.wait());
            if (first.index() == 0)
                result.template emplace<1>(std::get<0>(std::move(first)));
        } catch (...) {
            result.template emplace<2>(std::current_exception());
        }
        end.complete(std::move(result));
    }

    void complete(outcome&& with) noexcept {
        // Waits for a request on another thread that is setting the event.
        callback_.reset();
        if (with.index() == 2) {
            standard::set_error(std::move(receiver_), std::get<2>(std::move(with)));
        } else if (with.index() == 0) {
            standard::set_stopped(std::move(receiver_));
        } else if constexpr (std::is_void_v<T>) {
            standard::set_value(std::move(receiver_));
        } else {
            standard::set_value(std::move(receiver_), std::get<1>(std::move(with)));
        }
    }
    [[nodiscard]] token_type token() const noexcept {
        return standard::get_stop_token(standard::get_env(receiver_));
    }

    task<T> work_;
    Receiver receiver_;
    bool is_started_ = false;
    event<> stop_requested_;
    std::optional<stop_callback> callback_;
};

}  // namespace detail

/// What as_sender() returns. Moves, does not copy: it is connected once.
template <class T>
class [[nodiscard]] task_sender {
    static_assert(!std::is_reference_v<T>, "a sender of a task completes with a value");

public:
    using sender_concept = detail::standard::sender_tag;
    using completion_signatures =
        detail::standard::completion_signatures<typename detail::value_completion<T>::type,
                                                detail::standard::set_error_t(std::exception_ptr),
                                                detail::standard::set_stopped_t()>;
    template <class Self, class... Env>
    static consteval completion_signatures get_completion_signatures() noexcept {
        return {};
    }

    /// Takes over the task.
    explicit task_sender(task<T> work) noexcept : work_(std::move(work)) {}

    template <class Receiver>
    [[nodiscard]] detail::task_operation<T, Receiver> connect(Receiver receiver) && {
        return {std::move(work_), std::move(receiver)};
    }

private:
    task<T> work_;
};

/// Makes a sender of anything that a task may await. Started, it runs in a task of its own on the worker of the caller;
/// `starts_on(scheduler, as_sender(...))` starts it from elsewhere.
///
/// - Ownership: an rvalue is moved in, an lvalue referred to. It is destroyed before the operation completes.
/// - Completion, on that worker: set_value(result), or set_value() for void; set_error(std::exception_ptr) with what it
///   throws; set_stopped() if it was dropped. In the middle of a turn, in a task: the receiver may spawn tasks, and must not
///   block.
/// - Cancellation: a request to stop on the receiver's stop token, from any thread, drops what is awaited as soon as the
///   worker's loop comes to it; set_stopped() follows. A success that came first wins. The end of the runtime drops it too,
///   with set_stopped() inside the runtime's destructor.
/// - Thread safety: a task that has begun belongs to its worker; a sender of a task that has not may be moved between
///   threads, like that task.
/// - Cost: two tasks and a race. Source: [exec.snd.concepts], [exec.opstate].
///
/// Requires: the operation is started on a worker. The awaitable's result is no reference.
template <awaitable Awaitable>
[[nodiscard]] auto as_sender(Awaitable&& awaited) {
    return task_sender<eddy::detail::awaited_value_t<Awaitable>>(
        eddy::detail::as_task(std::forward<Awaitable>(awaited)));
}

}  // namespace eddy::execution
