#pragma once

#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/io/detail/result.hpp>

#include <expected>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

namespace eddy::detail {

class listener_state;
struct listener_state_end {
    void operator()(listener_state* state) const noexcept;
};

/// Awaits the descriptor of a connection.
class accept_wait {
public:
    explicit accept_wait(listener_state& state) noexcept : state_(state) {}
    accept_wait(accept_wait&& other) noexcept : state_(other.state_) {}
    accept_wait& operator=(accept_wait&&) = delete;
    ~accept_wait();

    bool await_ready() const noexcept;
    void await_suspend(detail::suspension point) noexcept;
    [[nodiscard]] bool is_pending() const noexcept;
    void interrupt() noexcept;

protected:
    [[nodiscard]] bool is_closed() const noexcept;
    /// A descriptor or an error.
    [[nodiscard]] int take() noexcept;

private:
    listener_state& state_;
    bool is_waiting_ = false;
};

/// Awaits a connection.
template <class Connection>
class awaited_accept : public accept_wait, public outcome_awaiter<awaited_accept<Connection>> {
public:
    explicit awaited_accept(listener_state& state) noexcept : accept_wait(state) {}
    awaited_accept(awaited_accept&& other) noexcept = default;
    awaited_accept& operator=(awaited_accept&&) = delete;
    ~awaited_accept() = default;

    std::expected<Connection, std::error_code> outcome() {
        const int connection = take();
        if (connection < 0)
            return std::unexpected(io::error_of(connection));
        try {
            return Connection(connection);
        } catch (const std::bad_alloc&) {  // the peer sees its connection closed
            return std::unexpected(std::make_error_code(std::errc::not_enough_memory));
        }
    }
    [[nodiscard]] static const char* what() noexcept { return "accept"; }
};

/// Awaits a connection or the end of the listener.
template <class Connection>
class awaited_next_connection : public awaited_accept<Connection>,
                                public outcome_awaiter<awaited_next_connection<Connection>> {
public:
    explicit awaited_next_connection(listener_state& state) noexcept : awaited_accept<Connection>(state) {}
    awaited_next_connection(awaited_next_connection&& other) noexcept = default;
    awaited_next_connection& operator=(awaited_next_connection&&) = delete;
    ~awaited_next_connection() = default;

    using outcome_awaiter<awaited_next_connection>::await_resume;
    std::expected<std::optional<Connection>, std::error_code> outcome() {
        const bool is_over = this->is_closed();
        auto accepted = awaited_accept<Connection>::outcome();
        if (is_over)
            return std::nullopt;
        if (!accepted)
            return std::unexpected(accepted.error());
        return std::optional(std::move(*accepted));
    }
};

}  // namespace eddy::detail
