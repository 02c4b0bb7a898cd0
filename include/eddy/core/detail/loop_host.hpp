#pragma once

#include <eddy/core/detail/inbox_item.hpp>

namespace eddy::detail {

/// What a resume loop needs of the worker to which it belongs.
class loop_host {
public:
    /// Takes a message in. Any thread, as long as the host exists. If it returns true the receiver sleeps,
    /// and the same thread must call wake() soon: there is no other call to it, and the host exists until
    /// then.
    [[nodiscard]] virtual bool enqueue(inbox_item& sent) noexcept = 0;
    /// Ends the sleep that enqueue() reported.
    virtual void wake() noexcept = 0;
    /// Both, for callers that hold no lock.
    void post(inbox_item& sent) noexcept {
        if (enqueue(sent))
            wake();
    }

    /// Takes back a message that was taken in and has not run. The host's own thread.
    virtual void retract(inbox_item& sent) noexcept = 0;

    /// Enters the system once and waits there until something happens. The host's own thread.
    virtual void wait_for_events() noexcept = 0;

protected:
    ~loop_host() = default;
};

}  // namespace eddy::detail
