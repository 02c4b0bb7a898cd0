#pragma once

#include "loop.hpp"
#include "parked.hpp"
#include "support/list.hpp"
#include "support/todo.hpp"

#include <coroutine>
#include <cstddef>
#include <utility>

namespace lab {

class semaphore;

/// One of a semaphore's permits, held until this is destroyed.
class permit {
public:
    permit(permit&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    permit& operator=(permit&&) = delete;
    ~permit();

private:
    friend semaphore;
    explicit permit(semaphore& of) noexcept : of_(&of) {}
    semaphore* of_;
};

/// So many tasks at once. Those that wait get permits in the order in which they came; one that is dropped leaves no gap.
class semaphore {
public:
    explicit semaphore(std::size_t permits) noexcept : free_(permits) {}
    semaphore(const semaphore&) = delete;
    semaphore& operator=(const semaphore&) = delete;

    /// co_await returns a permit.
    class acquire_awaiter : public parked {
    public:
        explicit acquire_awaiter(semaphore& from) noexcept : from_(from) {}
        /// A permit that was given to it, and that it has not taken, goes to the next.
        ~acquire_awaiter() {
            // TODO(step 4): pass it on.
        }
        bool await_ready() noexcept { course::todo("step 4: acquire_awaiter::await_ready"); }
        void await_suspend(std::coroutine_handle<> caller) noexcept {
            static_cast<void>(caller);
            course::todo("step 4: acquire_awaiter::await_suspend");
        }
        permit await_resume() noexcept { course::todo("step 4: acquire_awaiter::await_resume"); }

    private:
        friend semaphore;
        semaphore& from_;
        loop* loop_ = nullptr;
        bool has_permit_ = false;
    };
    [[nodiscard]] acquire_awaiter acquire() noexcept { return acquire_awaiter(*this); }

    [[nodiscard]] std::size_t free() const noexcept { return free_; }

private:
    friend permit;
    void release() noexcept { course::todo("step 4: semaphore::release"); }

    std::size_t free_;
    course::list<acquire_awaiter> queue_;
};

inline permit::~permit() {
    if (of_ != nullptr)
        of_->release();
}

}  // namespace lab
