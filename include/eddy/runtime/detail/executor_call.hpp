#pragma once

#include <eddy/core/awaitable.hpp>
#include <eddy/core/detail/inbox_item.hpp>
#include <eddy/core/detail/result_slot.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/io/detail/blocking_executor.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/work_kind.hpp>
#include <eddy/runtime/worker.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace eddy::detail {

[[noreturn]] void throw_no_place();
[[noreturn]] void throw_no_tasks();
[[noreturn]] void throw_uncalled();

/// A call under way at some place, shared by the awaiter at home and the function that was posted there. The
/// function's end, called or not, is the message that brings it home.
///
/// `state_`: waiting (the function is still to come), posted (its message is on its way home), abandoned (the
/// awaiter has gone: the function must not touch home any more, which may have ended).
class executor_call_state : public inbox_item {
public:
    executor_call_state(const executor_call_state&) = delete;
    executor_call_state& operator=(const executor_call_state&) = delete;

    // -- at home --

    [[nodiscard]] bool is_home() const noexcept { return is_home_; }
    void set_waiter(job& waiter) noexcept { waiter_ = &waiter; }
    void abandon() noexcept;

    // -- at the place --

    /// Whether the result is still wanted.
    [[nodiscard]] bool is_wanted() const noexcept {
        return state_.load(std::memory_order_relaxed) != state::abandoned;
    }
    /// The function is gone.
    void finish() noexcept;

protected:
    executor_call_state() : inbox_item(&come_home), home_(worker_core::current()) {}
    virtual ~executor_call_state() = default;

private:
    enum class state : unsigned char { waiting, posted, abandoned };

    static void come_home(inbox_item& item, bool is_discarded) noexcept;
    void release() noexcept {
        if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete this;
    }

    worker_core& home_;
    job* waiter_ = nullptr;  // at home, as is is_home_
    bool is_home_ = false;
    atomic<state> state_{state::waiting};
    atomic<int> references_{2};  // the awaiter's, and the function's or its message's
};

template <class Call>
class executor_call_result final : public executor_call_state {
public:
    using result_type = std::invoke_result_t<Call&>;

    explicit executor_call_result(Call&& call) : call_(std::move(call)) {}

    void run() noexcept {
        try {
            if constexpr (std::is_void_v<result_type>) {
                call_();
                result_.set_value();
            } else {
                result_.set_value(call_());
            }
        } catch (...) {
            result_.set_error(std::current_exception());
        }
    }
    result_type take() {
        if (!result_.has_value() && !result_.has_error())
            throw_uncalled();
        return result_.take();
    }

private:
    ~executor_call_result() override = default;

    Call call_;
    result_slot<result_type> result_;
};

/// Awaits such a call.
template <class Call>
class executor_call {
public:
    explicit executor_call(Call&& call) : shared_(new executor_call_result<Call>(std::move(call))) {}
    executor_call(const executor_call&) = delete;
    executor_call& operator=(const executor_call&) = delete;
    ~executor_call() {
        if (shared_ != nullptr)
            shared_->abandon();
    }

    /// The function to post. It is called once at most. Requires: called once.
    [[nodiscard]] auto function() noexcept {
        return [owned = std::unique_ptr<executor_call_result<Call>, ending>(shared_)] {
            if (owned->is_wanted())
                owned->run();
        };
    }

    bool await_ready() const noexcept { return false; }
    bool await_suspend(suspension point) noexcept {
        if (shared_->is_home())
            return false;
        shared_->set_waiter(resume_loop::current().suspend(point));
        return true;
    }
    decltype(auto) await_resume() { return shared_->take(); }

private:
    struct ending {
        void operator()(executor_call_result<Call>* ended) const noexcept { ended->finish(); }
    };

    executor_call_result<Call>* shared_;
};

/// A function that the offload pool calls once.
template <class Function>
class pool_function final : public io::blocking_item {
public:
    template <class Given>
    pool_function(std::in_place_t, Given&& given)
        : blocking_item(&call), function_(std::forward<Given>(given)) {}

private:
    static void call(io::blocking_item& item) noexcept {
        const std::unique_ptr<pool_function> self(static_cast<pool_function*>(&item));
        try {
            self->function_();
        } catch (...) {
            uncaught_in_detached({"a posted function", {}}, std::current_exception());
        }
    }

    Function function_;
};

template <class Function>
void post_to_pool(runtime& of, work_kind kind, Function&& function) {
    auto made = std::make_unique<pool_function<std::decay_t<Function>>>(std::in_place,
                                                                        std::forward<Function>(function));
    of.offload_threads().submit(*made, kind);
    static_cast<void>(made.release());
}

/// A call as a task; awaits what it returns if that can be awaited.
template <class Result, class Call>
task<Result> call_in_task(Call call) {
    if constexpr (awaitable<std::invoke_result_t<Call&>>)
        co_return co_await call();
    else
        co_return call();
}

}  // namespace eddy::detail
