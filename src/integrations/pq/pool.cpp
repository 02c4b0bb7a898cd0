#include "pool_state.hpp"

#include <eddy/integrations/pq/pool.hpp>

#include <utility>

namespace eddy::pq {

namespace {

task<result> run_in(std::shared_ptr<detail::pool_state> pool, command cmd) {
    auto lease = co_await pool->acquire();
    co_return co_await lease->run(std::move(cmd));
}

}  // namespace

pooled_connection::~pooled_connection() {
    if (pool_ != nullptr)
        pool_->give_back(std::move(*connection_), made_at_, std::move(permit_));
}

pool::pool(connection_options connect_to, pool_options limits)
    : state_(std::make_shared<detail::pool_state>(std::move(connect_to), limits)) {}

pool::~pool() {
    if (state_ != nullptr)
        state_->stop();
}

task<pooled_connection> pool::acquire() {
    return state_->acquire();
}

task<result> pool::run(command cmd) {
    return run_in(state_, std::move(cmd));
}

task<> pool::close() {
    return state_->close();
}

std::size_t pool::idle_count() const noexcept {
    return state_->idle_count();
}

std::size_t pool::busy_count() const noexcept {
    return state_->busy_count();
}

}  // namespace eddy::pq
