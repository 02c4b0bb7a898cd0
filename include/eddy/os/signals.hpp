#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <memory>
#include <system_error>
#include <utility>

namespace eddy {

namespace detail {

/// What a signal_set keeps where it cannot move: its descriptor, and the signals that were taken from the
/// system for a wait that was dropped.
class signal_state {
public:
    explicit signal_state(owned_descriptor descriptor) noexcept : descriptor_(std::move(descriptor)) {}

    [[nodiscard]] io::backend& backend() const noexcept { return descriptor_.backend(); }
    [[nodiscard]] int descriptor() const noexcept { return descriptor_.get(); }

    /// Keeps a signal for the next wait. One that is kept already counts once, as with the system.
    void keep(int signal) noexcept { kept_ |= bit_of(signal); }
    [[nodiscard]] bool has_kept() const noexcept { return kept_ != 0; }
    /// The lowest signal that is kept. Requires: has_kept().
    [[nodiscard]] int take() noexcept {
        EDDY_ASSERT(has_kept(), "a signal is taken that was kept");
        const int signal = std::countr_zero(kept_) + 1;
        kept_ &= ~bit_of(signal);
        return signal;
    }

private:
    /// Signals are numbered from 1 to 64 (signal(7)).
    static std::uint64_t bit_of(int signal) noexcept { return std::uint64_t{1} << (signal - 1); }

    owned_descriptor descriptor_;
    std::uint64_t kept_ = 0;
};

/// Awaits a signal.
class awaited_signal : public io::awaited_operation<io::operation>, public outcome_awaiter<awaited_signal> {
public:
    explicit awaited_signal(signal_state& state) noexcept;
    awaited_signal(awaited_signal&& other) noexcept;
    awaited_signal& operator=(awaited_signal&&) = delete;
    ~awaited_signal();

    bool await_ready() const noexcept { return state_.has_kept(); }
    void await_suspend(detail::suspension point) noexcept;
    std::expected<int, std::error_code> outcome() noexcept;
    [[nodiscard]] static const char* what() noexcept { return "signal"; }

private:
    [[nodiscard]] int number() const noexcept;

    static constexpr std::size_t record_bytes = 128;
    signal_state& state_;
    bool is_taken_ = false;
    alignas(8) std::array<std::byte, record_bytes> record_{};
};

}  // namespace detail

/// Signals as something to wait for. While it lives the signals are blocked for the worker's thread and wait
/// here; the threads that runtimes start never take them, but one that the program has started itself does,
/// unless they are blocked there too (pthread_sigmask(3)). A signal that comes several times before it is
/// awaited may count once. One signal should be waited for in one place (signalfd(2)).
///
///     signal_set ending({SIGINT, SIGTERM});
///     const int signal = co_await ending.wait();
///
/// Ownership: moves, does not copy. The signals stay blocked when it is destroyed, so that one that comes
/// late does not end the program half-way through its farewell. Thread safety: none; it belongs to its
/// worker.
class signal_set {
public:
    /// Throws std::system_error: invalid_argument for what is no signal, or cannot be waited for (SIGKILL,
    /// SIGSTOP). Requires: the caller is on a worker.
    signal_set(std::initializer_list<int> signals);

    /// Waits for one of the signals and returns its number. Dropped: a signal that has come is returned by
    /// the next wait. Requires: the set outlives the wait.
    [[nodiscard]] detail::awaited_signal wait() noexcept { return detail::awaited_signal(*state_); }

private:
    std::unique_ptr<detail::signal_state> state_;
};

/// The signals of a set, one after the other, without end:
///
///     auto arriving = signals({SIGHUP, SIGTERM});
///     while (const auto signal = co_await arriving.next())
///
/// As with the set, which it owns: the signals are blocked from the call on. Dropping a wait loses none;
/// dropping the generator loses what it has taken and not yielded.
[[nodiscard]] async_generator<int> signals(signal_set set);

/// Waits once for a signal and returns its number. It is blocked from the call on. As signal_set; throws
/// std::system_error. Requires: the caller is on a worker. Dropped: the signal stays pending.
[[nodiscard]] task<int> signal(int number);

}  // namespace eddy
