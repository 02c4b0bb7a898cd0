#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/connection.hpp>
#include <eddy/integrations/pq/pool.hpp>
#include <eddy/sync/semaphore.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace eddy::pq::detail {

/// Shared by a pool and the connections that it handed out. A connection in use holds a permit; idle ones
/// need none.
class pool_state : public std::enable_shared_from_this<pool_state> {
public:
    pool_state(connection_options connect_to, pool_options limits)
        : connect_to_(std::move(connect_to)), limits_(limits), permits_(size_max()) {}

    [[nodiscard]] task<pooled_connection> acquire();
    void give_back(connection used, time_point made_at, semaphore_permit permit) noexcept;
    [[nodiscard]] task<> close();
    void stop() noexcept;

    [[nodiscard]] std::size_t idle_count() const noexcept { return idle_.size(); }
    [[nodiscard]] std::size_t busy_count() const noexcept {
        return size_max() - static_cast<std::size_t>(permits_.available());
    }

private:
    [[nodiscard]] std::size_t size_max() const noexcept {
        return static_cast<std::size_t>(
            std::clamp<std::uint64_t>(limits_.size_max(), 1, semaphore::permits_max));
    }

    struct idle_connection {
        connection held;
        time_point made_at;
        time_point since;
    };

    [[nodiscard]] task<pooled_connection> acquire_in_time(std::exception_ptr& last_failure);
    void require_open() const;
    [[nodiscard]] task<std::optional<idle_connection>> take_idle();
    [[nodiscard]] task<bool> is_well(connection& requested, time_point since);
    [[nodiscard]] task<connection> connect(std::exception_ptr& last_failure);
    void keep(connection used, time_point made_at);
    static task<> bring_back(std::shared_ptr<pool_state> self, connection used, time_point made_at,
                             semaphore_permit permit);
    void close_old();
    [[nodiscard]] task<> sweep();

    connection_options connect_to_;
    pool_options limits_;
    semaphore permits_;
    std::deque<idle_connection> idle_;  // used last at the back
    bool is_closed_ = false;
    handle<> sweeper_;
};

}  // namespace eddy::pq::detail
