#pragma once

#include <eddy/core/as_result.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/detail/transfer.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <system_error>

namespace eddy::detail {

/// Waits until a connection has something to read. Data is taken only when the reader resumes, so a read may
/// be dropped at any time before.
template <class Connection>
class tls_wait {
public:
    explicit tls_wait(Connection& connection, std::optional<time_point> deadline = std::nullopt) noexcept
        : connection_(connection), deadline_(deadline) {}
    /// Requires: it has not been awaited yet.
    tls_wait(tls_wait&& other) noexcept : connection_(other.connection_), deadline_(other.deadline_) {}
    tls_wait& operator=(tls_wait&&) = delete;
    ~tls_wait() = default;

    transfer await_suspend(suspension point) {
        waiting_.emplace(connection_.wait_to_read(deadline_).operator co_await());
        return waiting_->await_suspend(point);
    }

protected:
    void finish_wait() {
        if (waiting_)
            waiting_->await_resume();
    }
    [[nodiscard]] Connection& connection() const noexcept { return connection_; }

private:
    Connection& connection_;
    std::optional<time_point> deadline_;
    std::optional<task<>::awaiter> waiting_;
};

/// Awaits bytes of a connection in the caller's memory.
template <class Connection>
class [[nodiscard]] tls_read : public tls_wait<Connection> {
public:
    tls_read(Connection& connection, std::span<std::byte> out) noexcept
        : tls_wait<Connection>(connection), out_(out) {}

    bool await_ready() { return this->connection().try_read(out_, count_); }
    std::size_t await_resume() {
        if (count_)
            return *count_;
        this->finish_wait();
        return this->connection().read(out_);
    }

private:
    std::span<std::byte> out_;
    std::optional<std::size_t> count_;
};

/// Awaits bytes of a connection in memory of their own.
template <class Connection>
class [[nodiscard]] tls_leased_read : public tls_wait<Connection> {
public:
    explicit tls_leased_read(Connection& connection) noexcept : tls_wait<Connection>(connection) {}

    bool await_ready() const noexcept { return this->connection().can_read(); }
    buffer_lease await_resume() {
        this->finish_wait();
        return this->connection().read_lease();
    }
};

/// The same until a deadline, with the outcome in place of exceptions.
template <class Connection>
class [[nodiscard]] tls_leased_read_until : public tls_wait<Connection> {
public:
    tls_leased_read_until(Connection& connection, time_point deadline) noexcept
        : tls_wait<Connection>(connection, deadline) {}

    bool await_ready() const noexcept { return this->connection().can_read(); }
    std::expected<buffer_lease, std::error_code> await_resume() {
        return caught_outcome([this] {
            this->finish_wait();
            return this->connection().read_lease();
        });
    }
};

}  // namespace eddy::detail
