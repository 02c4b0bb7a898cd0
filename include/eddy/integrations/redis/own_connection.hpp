#pragma once

#include <eddy/integrations/redis/connection.hpp>

#include <memory>
#include <utility>

namespace eddy::redis {

namespace detail {
class client_state;
}

/// A connection that a client has lent to one user. Destroyed, it is closed, whatever was going on there;
/// give_back() keeps it for the next. Moves, does not copy.
class [[nodiscard]] own_connection {
public:
    own_connection(std::shared_ptr<detail::client_state> owner, std::unique_ptr<connection> lent) noexcept
        : owner_(std::move(owner)), lent_(std::move(lent)) {}
    own_connection(own_connection&&) noexcept = default;
    own_connection& operator=(own_connection&& other) noexcept {
        own_connection taken(std::move(other));
        owner_.swap(taken.owner_);
        lent_.swap(taken.lent_);
        return *this;
    }
    ~own_connection();

    [[nodiscard]] connection* operator->() const noexcept { return lent_.get(); }
    [[nodiscard]] connection& operator*() const noexcept { return *lent_; }

    /// Requires: nothing is left of what was done there: no WATCH, no MULTI, another database, a command
    /// without its reply. One that has failed is closed all the same.
    void give_back() && noexcept;

private:
    std::shared_ptr<detail::client_state> owner_;
    std::unique_ptr<connection> lent_;
};

}  // namespace eddy::redis
