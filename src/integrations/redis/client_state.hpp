#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/integrations/redis/connection.hpp>
#include <eddy/integrations/redis/options.hpp>
#include <eddy/runtime/detail/growing_wait.hpp>
#include <eddy/sync/mutex.hpp>
#include <eddy/sync/semaphore.hpp>

#include <exception>
#include <memory>
#include <vector>

namespace eddy::redis::detail {

class client_state {
public:
    explicit client_state(options wanted);

    /// The shared connection, or null if there is none that works.
    [[nodiscard]] std::shared_ptr<connection> connected() const noexcept {
        return shared_ != nullptr && shared_->is_open() ? shared_ : nullptr;
    }
    /// Makes it, as client says.
    task<std::shared_ptr<connection>> connect();

    /// A free connection, with one of the places of dedicated_connections_max(). leave_place() returns the place.
    task<std::unique_ptr<connection>> lend();
    void leave_place() noexcept { places_.release(); }
    void keep(std::unique_ptr<connection> idle) noexcept;

    const options settings;

private:
    task<> attempt();
    void note_loss();
    void tell(connection_event::kind what, const std::exception_ptr& why, duration pause) const;

    std::shared_ptr<connection> shared_;
    mutex connecting_;
    eddy::detail::growing_wait pauses_;
    time_point paused_until_ = time_point::min();
    std::exception_ptr last_failure_;
    semaphore places_;
    std::vector<std::unique_ptr<connection>> idle_;
};

}  // namespace eddy::redis::detail
