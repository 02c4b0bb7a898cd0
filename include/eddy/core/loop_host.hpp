#pragma once

#include <eddy/core/inbox_item.hpp>

namespace eddy::detail {

/// What a resume loop needs of the worker to which it belongs.
class loop_host {
public:
    /// Sends a message. Any thread.
    virtual void post(inbox_item& sent) noexcept = 0;
    /// Enters the system once and waits there until something happens.
    virtual void wait_for_events() noexcept = 0;

protected:
    ~loop_host() = default;
};

}  // namespace eddy::detail
