#include <eddy/os/signals.hpp>
#include <eddy/runtime/worker.hpp>

#include <cstdint>
#include <cstring>
#include <span>

namespace eddy {

namespace detail {

awaited_signal::awaited_signal(io::backend& carrier, int signals) noexcept
    : awaited_operation(carrier, io::opcode::read) {
    descriptor = signals;
    size = record_bytes;
}

awaited_signal::awaited_signal(awaited_signal&& other) noexcept : awaited_operation(std::move(other)) {}

void awaited_signal::await_suspend(detail::suspension point) noexcept {
    address = record_.data();
    awaited_operation::await_suspend(point);
}

std::expected<int, std::error_code> awaited_signal::outcome() noexcept {
    if (result() < 0)
        return std::unexpected(io::error_of(result()));
    // The record begins with the number (signalfd(2), ssi_signo).
    std::uint32_t number = 0;
    std::memcpy(&number, record_.data(), sizeof(number));
    return static_cast<int>(number);
}

int awaited_signal::await_resume() {
    const auto number = outcome();
    if (!number)
        throw std::system_error(number.error(), "signal");
    return *number;
}

}  // namespace detail

namespace {

detail::owned_descriptor open_signals(std::span<const int> signals) {
    io::backend& carrier = worker::current().carrier();
    detail::owned_descriptor opened(carrier, carrier.open_signals(signals));
    if (opened.get() < 0)
        io::throw_error(opened.get(), "signalfd");
    return opened;
}

}  // namespace

signal_set::signal_set(std::initializer_list<int> signals)
    : descriptor_(open_signals(std::span(signals.begin(), signals.size()))) {}

}  // namespace eddy
