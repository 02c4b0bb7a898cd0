#pragma once

#include <eddy/core/detail/resume_loop.hpp>

#include <coroutine>
#include <utility>

namespace eddy::test {

/// Holds one task back until the test opens it. Dropping the wait withdraws it.
class gate {
public:
    gate() = default;
    gate(const gate&) = delete;
    gate& operator=(const gate&) = delete;

    void open() noexcept {
        is_open_ = true;
        if (detail::job* waiter = std::exchange(waiter_, nullptr))
            waiter->loop().make_ready(*waiter);
    }
    [[nodiscard]] bool has_waiter() const noexcept { return waiter_ != nullptr; }

    class awaiter {
    public:
        explicit awaiter(gate& awaited) noexcept : gate_(awaited) {}
        awaiter(const awaiter&) = delete;
        awaiter& operator=(const awaiter&) = delete;
        ~awaiter() {
            if (waits_)
                gate_.waiter_ = nullptr;
        }
        bool await_ready() const noexcept { return gate_.is_open_; }
        void await_suspend(detail::suspension point) noexcept {
            waits_ = true;
            gate_.waiter_ = &detail::resume_loop::current().suspend(point);
        }
        void await_resume() noexcept { waits_ = false; }

    private:
        gate& gate_;
        bool waits_ = false;
    };
    awaiter operator co_await() noexcept { return awaiter(*this); }

private:
    bool is_open_ = false;
    detail::job* waiter_ = nullptr;
};

}  // namespace eddy::test
