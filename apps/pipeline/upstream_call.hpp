#pragma once

#include <coroutine>
#include <cstdint>
#include <expected>
#include <functional>
#include <system_error>
#include <utility>

namespace eddy::apps {

class upstream_client;

/// An answer of the upstream service, or why there is none: timed_out, not_connected (it is away),
/// connection_reset and the like (it broke off), operation_canceled (the server ends).
using upstream_result = std::expected<std::uint64_t, std::error_code>;

/// A question that waits for its answer in an upstream_client.
class upstream_call {
public:
    /// Called once, on the client's worker, unless the call was forgotten before.
    virtual void finish(upstream_result result) noexcept = 0;

protected:
    upstream_call() = default;
    upstream_call(const upstream_call&) = default;
    upstream_call& operator=(const upstream_call&) = default;
    ~upstream_call() = default;
};

/// Goes on with a function. Frees itself.
class continued_call final : public upstream_call {
public:
    using continuation = std::move_only_function<void(upstream_result)>;

    explicit continued_call(continuation next) noexcept : next_(std::move(next)) {}
    void finish(upstream_result result) noexcept override {
        next_(std::move(result));
        delete this;
    }

private:
    continuation next_;
};

/// Goes on with the task that awaits it. Lives in the task's frame; nothing is allocated for the call itself.
/// Cancellation: dropped, the call is forgotten, and the answer passed over when it comes.
class awaited_call final : public upstream_call {
public:
    awaited_call(upstream_client& client, std::uint64_t value) noexcept : client_(client), value_(value) {}
    awaited_call(awaited_call&& other) noexcept : client_(other.client_), value_(other.value_) {}
    awaited_call& operator=(awaited_call&&) = delete;
    ~awaited_call();

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> point);
    upstream_result await_resume() noexcept { return std::move(result_); }

    void finish(upstream_result result) noexcept override;

private:
    upstream_client& client_;
    std::uint64_t value_;
    std::uint64_t id_ = 0;
    std::coroutine_handle<> waiting_;
    upstream_result result_;
};

}  // namespace eddy::apps
