#pragma once

#include <eddy/io/awaited_operation.hpp>
#include <eddy/io/owned_descriptor.hpp>

#include <array>
#include <cstddef>
#include <expected>
#include <initializer_list>
#include <system_error>

namespace eddy {

namespace detail {

/// Awaits a signal.
class awaited_signal : public io::awaited_operation<io::operation> {
public:
    awaited_signal(io::backend& carrier, int descriptor) noexcept;
    awaited_signal(awaited_signal&& other) noexcept;
    awaited_signal& operator=(awaited_signal&&) = delete;
    ~awaited_signal() { withdraw_if_pending(); }

    void await_suspend(detail::suspension point) noexcept;
    int await_resume();
    std::expected<int, std::error_code> outcome() noexcept;

private:
    static constexpr std::size_t record_bytes = 128;
    alignas(8) std::array<std::byte, record_bytes> record_{};
};

}  // namespace detail

/// Signals as something to wait for. While it lives the signals are blocked for the worker's thread and wait
/// here; threads of a runtime's never take them. A signal that comes several times before it is awaited may
/// count once. One signal should be waited for in one place (signalfd(2)).
///
///     signal_set ending({SIGINT, SIGTERM});
///     const int signal = co_await ending.wait();
///
/// Ownership: moves, does not copy. The signals stay blocked when it is destroyed, so that one that comes
/// late does not end the program half-way through its farewell. Thread safety: none; it belongs to its
/// worker.
class signal_set {
public:
    /// Throws std::system_error. Requires: the caller is on a worker.
    explicit signal_set(std::initializer_list<int> signals);

    /// Waits for one of the signals and gives its number. Dropped: a signal that has come stays for the next
    /// wait, unless it had already been taken from the system, in which case it is lost.
    [[nodiscard]] detail::awaited_signal wait() noexcept {
        return {descriptor_.carrier(), descriptor_.get()};
    }

private:
    detail::owned_descriptor descriptor_;
};

}  // namespace eddy
