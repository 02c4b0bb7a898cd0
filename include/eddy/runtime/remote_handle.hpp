#pragma once

#include <eddy/core/awaitable.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/result_slot.hpp>
#include <eddy/core/detail/task_origin.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/runtime/detail/inbox.hpp>
#include <eddy/runtime/worker.hpp>

#include <atomic>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

// A remote task has a home, the worker that spawned it and holds its handle, and a target, the worker it runs
// on. They share a remote_call and speak through three messages, each sent at most once and each holding a
// reference while it is under way:
//
//   start   home -> target   makes a job of the task
//   drop    home -> target   drops the job, if it still runs
//   ended   target -> home   the job is gone; the result, if it came to one, is in the call
//
// `ended` is sent by the destructor of a guard in the job's own frame, so it is sent however the job ends,
// once the work is destroyed. After shut-down the messages are discarded, which only releases their
// references.

class remote_call_base : public in_frame_cache {
public:
    remote_call_base(worker_core& home, worker_core& target, const task_origin& origin) noexcept
        : home_(home),
          target_(target),
          origin_(origin.name() != nullptr ? origin.name() : "remote task", origin.where()) {}
    remote_call_base(const remote_call_base&) = delete;
    remote_call_base& operator=(const remote_call_base&) = delete;

    void post_start() noexcept {
        target_.note_sent();
        send(target_, start_);
    }

    // -- at home --

    [[nodiscard]] bool has_ended() const noexcept { return has_ended_; }
    void set_waiter(job* waiter) noexcept { waiter_ = waiter; }
    /// Requests the end of the job.
    void drop() noexcept {
        if (!has_ended_ && !std::exchange(drop_sent_, true))
            send(target_, drop_);
    }
    /// From now on the result is discarded: an exception ends the program when its message reaches home.
    void detach() noexcept {
        is_detached_ = true;
        if (has_ended_)
            end_detached_call();
    }
    [[nodiscard]] worker_core& home() const noexcept { return home_; }
    /// Throws what its awaiter gets of a task that has left neither a value nor an error.
    [[noreturn]] void throw_without_result() const;

    // -- references: the handle, each message under way, the running job --

    void acquire() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
    void release() noexcept {
        if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete this;
    }

protected:
    virtual ~remote_call_base() = default;
    /// On the target: makes a job that holds a running_guard.
    virtual job& make_job_here() = 0;
    /// On the target: destroys what is left of the work.
    virtual void drop_work() noexcept = 0;
    /// At home, after the end: what left the task and was not taken, or null.
    [[nodiscard]] virtual std::exception_ptr error() const noexcept = 0;
    [[nodiscard]] const task_origin& origin() const noexcept { return origin_; }

    /// Lives in the job's frame: says at home that the job is gone.
    class running_guard {
    public:
        explicit running_guard(remote_call_base& call) noexcept : call_(&call) { call.acquire(); }
        running_guard(running_guard&& other) noexcept : call_(std::exchange(other.call_, nullptr)) {}
        running_guard& operator=(running_guard&&) = delete;
        ~running_guard() {
            if (call_ != nullptr) {
                call_->drop_work();
                call_->job_ = nullptr;
                call_->target_.note_sent_ended();
                // The message takes over the reference: from here on the call may be gone.
                call_->home_.post(call_->ended_);
            }
        }

    private:
        remote_call_base* call_;
    };

private:
    struct message : inbox_item {
        message(remote_call_base& sender, run_function received) noexcept
            : inbox_item(received), call(sender) {}
        remote_call_base& call;
    };

    void send(worker_core& to, message& sent) noexcept {
        acquire();
        to.post(sent);
    }
    static void receive_start(inbox_item& item, bool is_discarded) noexcept;
    static void receive_drop(inbox_item& item, bool is_discarded) noexcept;
    static void receive_ended(inbox_item& item, bool is_discarded) noexcept;
    /// Ends the program if the task ended with an exception.
    void end_detached_call() const noexcept;

    worker_core& home_;
    worker_core& target_;
    task_origin origin_;
    atomic<int> references_{1};
    message start_{*this, &receive_start};
    message drop_{*this, &receive_drop};
    message ended_{*this, &receive_ended};
    job* waiter_ = nullptr;     // at home
    bool has_ended_ = false;    // at home
    bool drop_sent_ = false;    // at home
    bool is_detached_ = false;  // at home
    job* job_ = nullptr;        // on the target
    bool has_begun_ = false;    // on the target, until it has ended
};

/// A call whose result type is known.
template <class T>
class remote_result : public remote_call_base {
public:
    using remote_call_base::remote_call_base;
    [[nodiscard]] result_slot<T>& result() noexcept { return result_; }

private:
    std::exception_ptr error() const noexcept override {
        return result_.has_error() ? result_.error() : nullptr;
    }

    result_slot<T> result_;
};

/// The result of some work, which is an awaitable, for example a task, or a function that is called at the
/// target and returns an awaitable or the result.
template <class Work>
struct remote_work {
    using begun = Work&&;
};
template <std::invocable Work>
struct remote_work<Work> {
    using begun = std::invoke_result_t<Work>;
};
template <class Begun>
struct brought_home {
    using type = Begun;
};
template <awaitable Begun>
struct brought_home<Begun> {
    using type = await_result_t<Begun>;
};
template <class Work>
using brought_home_t = typename brought_home<typename remote_work<Work>::begun>::type;

template <class Work>
class remote_call final : public remote_result<brought_home_t<Work>> {
    using result_type = brought_home_t<Work>;
    using running_guard = typename remote_call_base::running_guard;

public:
    remote_call(worker_core& home, worker_core& target, Work&& work, const task_origin& origin)
        : remote_result<result_type>(home, target, origin), work_(std::move(work)) {
        static_assert(alignof(remote_call) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__,
                      "what crosses is aligned no stricter than operator new aligns");
    }

private:
    using begun = typename remote_work<Work>::begun;

    job& make_job_here() override {
        return detail::make_job(resume_loop::current(), run(*this, running_guard(*this)), detached_job,
                                this->origin());
    }
    void drop_work() noexcept override { work_.reset(); }

    begun begin() {
        if constexpr (std::invocable<Work>)
            return std::invoke(std::move(*work_));
        else
            return std::move(*work_);
    }

    static task<void> run(remote_call& self, running_guard) {
        auto& result = self.result();
        try {
            if constexpr (awaitable<begun> && std::is_void_v<result_type>)
                co_await self.begin();
            else if constexpr (awaitable<begun>)
                result.set_value(co_await self.begin());
            else if constexpr (std::is_void_v<result_type>)
                self.begin();
            else
                result.set_value(self.begin());
            if constexpr (std::is_void_v<result_type>)
                result.set_value();
        } catch (...) {
            result.set_error(std::current_exception());
        }
    }

    std::optional<Work> work_;
};

template <class T>
class remote_spawner;

}  // namespace detail

/// Holds a task that runs on another worker of the same runtime.
///
/// - Ownership: moves, does not copy.
/// - Cancellation: dropping it sends the drop to the task's worker and does not wait; `co_await h.cancel()`
///   waits until the task is gone. Dropping either await leaves the task as it is.
/// - Awaiting: once, for the result or the exception. std::system_error with operation_canceled if the task
///   was cancelled, std::bad_alloc if its worker had no memory for it.
/// - Thread safety: none; a handle belongs to the worker on which it was made.
template <class T = void>
class [[nodiscard]] remote_handle {
public:
    remote_handle() noexcept = default;
    remote_handle(remote_handle&& other) noexcept : call_(std::exchange(other.call_, nullptr)) {}
    remote_handle& operator=(remote_handle&& other) noexcept {
        remote_handle taken(std::move(other));
        std::swap(call_, taken.call_);
        return *this;
    }
    ~remote_handle() {
        if (call_ != nullptr) {
            call_->drop();
            call_->release();
        }
    }

    /// Whether it holds a task.
    [[nodiscard]] explicit operator bool() const noexcept { return call_ != nullptr; }
    /// Whether the news of the task's end has come. Requires: it holds a task.
    [[nodiscard]] bool done() const noexcept { return held().has_ended(); }

    /// Lets the task continue without a handle. An exception that leaves it ends the program with a message
    /// that names it, once that reaches this worker. Requires: it holds a task, and no task awaits it.
    void detach() noexcept {
        auto& call = held();
        call_ = nullptr;
        call.detach();
        call.release();
    }

    /// Waits for the end.
    class end_awaiter {
    public:
        explicit end_awaiter(detail::remote_result<T>& call) noexcept : call_(call) {}
        end_awaiter(end_awaiter&& other) noexcept : call_(other.call_) {}  // before it is awaited
        end_awaiter& operator=(end_awaiter&&) = delete;
        ~end_awaiter() {
            if (is_waiting_)
                call_.set_waiter(nullptr);
        }
        bool await_ready() const noexcept { return call_.has_ended(); }
        void await_suspend(detail::suspension point) noexcept {
            call_.set_waiter(&detail::resume_loop::current().suspend(point));
            is_waiting_ = true;
        }
        void await_resume() noexcept { is_waiting_ = false; }

    protected:
        detail::remote_result<T>& call_;

    private:
        bool is_waiting_ = false;
    };

    class result_awaiter : public end_awaiter {
    public:
        using end_awaiter::end_awaiter;
        T await_resume() {
            end_awaiter::await_resume();
            auto& result = this->call_.result();
            if (!result.has_value() && !result.has_error())
                this->call_.throw_without_result();
            return result.take();
        }
    };

    /// Requires: it holds a task, and no other task awaits it.
    result_awaiter operator co_await() noexcept { return result_awaiter(held()); }

    /// Drops the task and waits until it and all that it waits for are destroyed. The handle then has no
    /// result: done() is true. Requires: it holds a task, and no other task awaits it.
    [[nodiscard]] end_awaiter cancel() noexcept {
        held().drop();
        return end_awaiter(held());
    }

private:
    [[nodiscard]] detail::remote_result<T>& held() const noexcept {
        EDDY_CHECK(call_ != nullptr, "this remote handle holds no task");
        return *call_;
    }

    friend class detail::remote_spawner<T>;
    explicit remote_handle(detail::remote_result<T>& call) noexcept : call_(&call) {}

    detail::remote_result<T>* call_ = nullptr;
};

namespace detail {

template <class T>
class remote_spawner {
public:
    template <class Work>
    static remote_handle<T> spawn(worker_core& target, Work work, const task_origin& origin) {
        auto* const call = new remote_call<Work>(worker_core::current(), target, std::move(work), origin);
        call->post_start();
        return remote_handle<T>(*call);
    }
};

template <class Work>
remote_handle<brought_home_t<Work>> spawn_remote(worker_core& target, Work work, const task_origin& origin) {
    return remote_spawner<brought_home_t<Work>>::spawn(target, std::move(work), origin);
}

}  // namespace detail

}  // namespace eddy
