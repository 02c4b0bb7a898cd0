#pragma once

#include <eddy/core/as_result.hpp>
#include <eddy/core/awaitable.hpp>
#include <eddy/core/detail/foreign_awaitable.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/detail/transfer.hpp>
#include <eddy/core/interruptible.hpp>

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <expected>
#include <new>
#include <type_traits>
#include <utility>

namespace eddy::detail {

/// Storage for an awaiter of any type whose result is Result. A larger one is allocated from the frame cache.
template <class Result>
class stored_operation {
public:
    using outcome_type = typename expected_for<Result>::type;

    stored_operation() noexcept = default;
    stored_operation(const stored_operation&) = delete;
    stored_operation& operator=(const stored_operation&) = delete;
    ~stored_operation() {
        if (actions_ != nullptr)
            actions_->destroy(held_);
    }

    /// Makes the awaiter of what the function returns. Once.
    template <class Function>
    void emplace(Function begin) {
        using awaited = std::invoke_result_t<Function>;
        static_assert(native_awaitable<awaited>,
                      "a stream of another library needs tasks around its operations");
        using held = std::remove_cvref_t<awaiter_type<awaited>>;
        void* const at = storage_for<held>();
        try {
            if constexpr (std::same_as<awaited, held> && !has_member_co_await<awaited> &&
                          !has_free_co_await<awaited>)
                held_ = ::new (at) held(begin());  // made where it is to be
            else
                held_ = ::new (at) held(get_awaiter(begin()));
        } catch (...) {
            free_storage<held>(at);
            throw;
        }
        actions_ = &actions_of<held>;
    }

    bool await_ready() { return actions_->ready(held_); }
    transfer await_suspend(suspension point) {
        return transfer_after(point, actions_->suspend(held_, point));
    }
    Result await_resume() { return actions_->resume(held_); }
    /// What await_resume() returns or throws, without a throw where the awaiter has outcome().
    outcome_type outcome() { return actions_->outcome(held_); }

    /// See interruptible. Requires: one that is interrupted is interruptible.
    [[nodiscard]] bool is_pending() const { return actions_->pending(held_); }
    void interrupt() { actions_->interrupt(held_); }

private:
    static constexpr std::size_t storage_bytes = 256;

    struct actions {
        bool (*ready)(void*);
        std::coroutine_handle<> (*suspend)(void*, suspension);
        Result (*resume)(void*);
        outcome_type (*outcome)(void*);
        bool (*pending)(void*);
        void (*interrupt)(void*);
        void (*destroy)(void*) noexcept;
    };

    template <class Held>
    static constexpr bool fits_storage =
        sizeof(Held) <= storage_bytes && alignof(Held) <= alignof(std::max_align_t);

    template <class Held>
    [[nodiscard]] void* storage_for() {
        if constexpr (fits_storage<Held>)
            return storage_;
        else
            return frame_cache::allocate(sizeof(Held));
    }
    template <class Held>
    static void free_storage(void* at) noexcept {
        if constexpr (!fits_storage<Held>)
            frame_cache::deallocate(at, sizeof(Held));
    }

    /// A template, so that only the way of this build is compiled.
    template <class Transfer = transfer>
    static Transfer transfer_after(suspension point, std::coroutine_handle<> next) {
        if constexpr (!std::is_void_v<Transfer>)
            return transfer_to(next ? next : std::noop_coroutine());
        else if (next)
            static_cast<void>(transfer_from(point, next));
    }

    /// Returns the coroutine to resume, or null.
    template <class Held>
    static std::coroutine_handle<> suspend(void* held, suspension point) {
        auto& awaiter = *static_cast<Held*>(held);
        using result = decltype(awaiter.await_suspend(point));
        if constexpr (std::is_void_v<result>) {
            awaiter.await_suspend(point);
            return nullptr;
        } else if constexpr (std::is_same_v<result, bool>) {
            const bool is_suspended = awaiter.await_suspend(point);
            return is_suspended ? nullptr : point.point();
        } else {
            return awaiter.await_suspend(point);
        }
    }
    template <class Held>
    static outcome_type outcome(void* held) {
        auto& awaiter = *static_cast<Held*>(held);
        if constexpr (!reports_outcome<Held>) {
            return caught_outcome([&awaiter]() -> Result { return awaiter.await_resume(); });
        } else if constexpr (std::is_void_v<Result>) {
            const auto given = awaiter.outcome();
            return given.has_value() ? outcome_type() : std::unexpected(given.error());
        } else {
            return awaiter.outcome();
        }
    }
    template <class Held>
    static bool pending(void* held) {
        if constexpr (interruptible<Held>)
            return static_cast<Held*>(held)->is_pending();
        else
            return false;
    }
    template <class Held>
    static void interrupt(void* held) {
        if constexpr (interruptible<Held>)
            static_cast<Held*>(held)->interrupt();
    }
    template <class Held>
    static void destroy(void* held) noexcept {
        static_cast<Held*>(held)->~Held();
        free_storage<Held>(held);
    }

    template <class Held>
    static constexpr actions actions_of{
        [](void* held) -> bool { return static_cast<Held*>(held)->await_ready(); },
        &suspend<Held>,
        [](void* held) -> Result { return static_cast<Held*>(held)->await_resume(); },
        &outcome<Held>,
        &pending<Held>,
        &interrupt<Held>,
        &destroy<Held>,
    };

    const actions* actions_ = nullptr;
    void* held_ = nullptr;
    alignas(std::max_align_t) std::byte storage_[storage_bytes];
};

}  // namespace eddy::detail
