#include <eddy/io/detail/result.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/runtime/worker.hpp>

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace eddy {

namespace detail {

awaited_signal::awaited_signal(signal_state& state) noexcept
    : awaited_operation(state.backend(), io::opcode::read), state_(state) {
    descriptor = state.descriptor();
    size = record_bytes;
}

awaited_signal::awaited_signal(awaited_signal&& other) noexcept
    : awaited_operation(std::move(other)),
      state_(other.state_) {}  // NOLINT(bugprone-use-after-move): the base took its part only

awaited_signal::~awaited_signal() {
    withdraw_if_pending();
    // The wait had won the race: its signal goes to the next one.
    if (was_awaited() && !is_taken_ && result() > 0)
        state_.keep(number());
}

void awaited_signal::await_suspend(detail::suspension point) noexcept {
    address = record_.data();
    awaited_operation::await_suspend(point);
}

int awaited_signal::number() const noexcept {
    // The record begins with the number (signalfd(2), ssi_signo).
    std::uint32_t read = 0;
    std::memcpy(&read, record_.data(), sizeof(read));
    return static_cast<int>(read);
}

std::expected<int, std::error_code> awaited_signal::outcome() noexcept {
    is_taken_ = true;
    if (!was_awaited())
        return state_.take();
    if (result() < 0)
        return std::unexpected(io::error_of(result()));
    return number();
}

}  // namespace detail

namespace {

detail::owned_descriptor open_signals(std::span<const int> signals) {
    io::backend& backend = detail::worker_core::current().backend();
    detail::owned_descriptor opened(backend, backend.system().descriptors->open_signals(signals));
    io::require_done(opened.get(), "signalfd");
    return opened;
}

}  // namespace

signal_set::signal_set(std::initializer_list<int> signals)
    : state_(
          std::make_unique<detail::signal_state>(open_signals(std::span(signals.begin(), signals.size())))) {}

async_generator<int> signals(signal_set set) {
    for (;;) {
        const int arrived = co_await set.wait();
        co_yield arrived;
    }
}

namespace {

task<int> wait_once(signal_set set) {
    co_return co_await set.wait();
}

}  // namespace

task<int> signal(int number) {
    return wait_once(signal_set({number}));
}

}  // namespace eddy
