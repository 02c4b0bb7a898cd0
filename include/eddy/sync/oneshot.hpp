#pragma once

#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/sync/detail/oneshot_state.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <expected>
#include <memory>
#include <system_error>
#include <type_traits>
#include <utility>

namespace eddy {

/// The sending half of a oneshot. Moves, does not copy. If it is destroyed before it has sent, the receiver
/// gets an error.
///
/// Thread safety: one thread at a time, any thread, but for closed(), which is awaited on a worker.
template <class T>
class oneshot_sender {
public:
    /// A half of nothing.
    oneshot_sender() noexcept = default;
    oneshot_sender(oneshot_sender&&) noexcept = default;
    oneshot_sender& operator=(oneshot_sender&& other) noexcept {
        oneshot_sender taken(std::move(other));
        share_.swap(taken.share_);
        return *this;
    }
    ~oneshot_sender() {
        if (share_.get() != nullptr)
            share_.get()->decide();
    }

    /// Whether it may send.
    [[nodiscard]] explicit operator bool() const noexcept { return share_.get() != nullptr; }

    /// Sends the value, and releases the oneshot. False if the receiver is gone: the value is left as it was,
    /// if it came as an rvalue. A receiver that is destroyed later destroys the value. Requires: it may send;
    /// no task awaits closed().
    bool send(T&& value) noexcept {
        EDDY_ASSERT(*this, "a oneshot sends once");
        // NOLINTNEXTLINE(performance-unnecessary-value-param): gone with this call
        oneshot_sender sending(std::move(*this));
        auto& state = *sending.share_.get();
        if (state.is_receiver_gone())
            return false;
        state.value.emplace(std::move(value));
        return true;
    }
    bool send(const T& value) {
        T copy(value);
        return send(std::move(copy));
    }

    /// Whether the receiver is gone, so that the value is not needed. Requires: it may send.
    [[nodiscard]] bool is_closed() const noexcept {
        EDDY_ASSERT(*this, "a oneshot sends once");
        return share_.get()->is_receiver_gone();
    }
    /// Awaited: waits until the receiver is gone. Dropping it ends the wait. Requires: it may send, and lives
    /// on.
    [[nodiscard]] auto closed() noexcept {
        EDDY_ASSERT(*this, "a oneshot sends once");
        return detail::receiver_gone_awaiter(*share_.get());
    }

private:
    template <class U>
    friend class oneshot;
    explicit oneshot_sender(detail::oneshot_state<T>& shared) noexcept : share_(shared) {}

    detail::oneshot_share<T> share_;
};

/// The receiving half of a oneshot: `co_await receiver` returns the value, or throws std::system_error with
/// std::errc::broken_pipe (returns that, through as_result()) if the sender is gone and has sent nothing.
/// Moves, does not copy. The value is returned once.
///
/// - Where the waiter resumes: in its own worker's loop.
/// - Cancellation: a dropped wait leaves the value where it is; the receiver may be awaited again.
/// - Thread safety: one thread at a time, and one wait.
template <class T>
class oneshot_receiver {
public:
    /// A half of nothing.
    oneshot_receiver() noexcept = default;
    oneshot_receiver(oneshot_receiver&&) noexcept = default;
    oneshot_receiver& operator=(oneshot_receiver&& other) noexcept {
        oneshot_receiver taken(std::move(other));
        share_.swap(taken.share_);
        return *this;
    }
    ~oneshot_receiver() {
        if (share_.get() != nullptr)
            share_.get()->leave_receiver();
    }

    /// Whether it may be awaited.
    [[nodiscard]] explicit operator bool() const noexcept { return share_.get() != nullptr; }
    /// Whether an await would not wait. Requires: it may be awaited.
    [[nodiscard]] bool is_ready() const noexcept { return share_.get()->is_decided(); }

    class [[nodiscard]] awaiter : public detail::outcome_awaiter<awaiter> {
    public:
        explicit awaiter(detail::oneshot_state<T>& awaited) noexcept : state_(awaited) {}
        awaiter(const awaiter&) = delete;
        awaiter& operator=(const awaiter&) = delete;
        ~awaiter() { static_cast<void>(waiter_.withdraw(state_.lock())); }

        bool await_ready() const noexcept {
            return state_.is_decided() && detail::resume_loop::consume_budget();
        }
        bool await_suspend(detail::suspension point) noexcept {
            waiter_.suspend(point);
            return state_.wait_for_decision(waiter_) || waiter_.gives_way();
        }
        [[nodiscard]] static const char* what() noexcept { return "oneshot"; }
        std::expected<T, std::error_code> outcome() noexcept {
            waiter_.finish();
            return take(state_);
        }

    private:
        detail::oneshot_state<T>& state_;
        detail::waiter waiter_;
    };
    /// Requires: it may be awaited, and lives until the wait has ended.
    awaiter operator co_await() const noexcept {
        EDDY_ASSERT(*this, "there is a sender to wait for");
        return awaiter(*share_.get());
    }

    /// The same for a thread that is no worker: blocks it.
    [[nodiscard]] T wait_blocking() const {
        EDDY_ASSERT(*this, "there is a sender to wait for");
        auto& state = *share_.get();
        detail::waiter waits;
        if (state.wait_for_decision(waits))
            waits.block(state.lock());
        auto result = take(state);
        if (!result)
            throw std::system_error(result.error(), "oneshot");
        return std::move(*result);
    }

private:
    template <class U>
    friend class oneshot;
    explicit oneshot_receiver(detail::oneshot_state<T>& shared) noexcept : share_(shared) {}

    static std::expected<T, std::error_code> take(detail::oneshot_state<T>& state) noexcept {
        if (!state.value)
            return std::unexpected(std::make_error_code(std::errc::broken_pipe));
        std::expected<T, std::error_code> taken(std::in_place, std::move(*state.value));
        state.value.reset();
        return taken;
    }

    detail::oneshot_share<T> share_;
};

/// One value from a sender, on any thread, to a receiver: `oneshot<int> answer;` makes both halves, which are
/// moved to where they are used.
///
///     oneshot<int> answer;
///     std::thread([sender = std::move(answer.sender)]() mutable { sender.send(42); }).detach();
///     const int value = co_await answer.receiver;
///
/// Cost: one allocation, from the frame cache, freed with the second half. A value that is there is received
/// without a lock.
template <class T>
class oneshot {
    static_assert(std::is_object_v<T> && !std::is_const_v<T>, "a oneshot carries an object");
    static_assert(std::is_nothrow_move_constructible_v<T>,
                  "a value moves out of a oneshot without an error: hold it by std::unique_ptr");

public:
    /// Throws std::bad_alloc.
    oneshot() : oneshot(*new detail::oneshot_state<T>) {}

    /// What sends the value.
    oneshot_sender<T> sender;
    /// What receives it.
    oneshot_receiver<T> receiver;

private:
    explicit oneshot(detail::oneshot_state<T>& shared) noexcept : sender(shared), receiver(shared) {}
};

}  // namespace eddy
