#include "integrations/redis/client_state.hpp"

#include <eddy/integrations/redis/client.hpp>

#include <utility>

namespace eddy::redis {

client::client(options wanted) : state_(std::make_shared<detail::client_state>(std::move(wanted))) {}
client::client(client&&) noexcept = default;
client& client::operator=(client&&) noexcept = default;
client::~client() = default;

// Each holds the connection that it uses, since another may take its place meanwhile.

task<> client::connect() {
    if (state_->connected() == nullptr)
        static_cast<void>(co_await state_->connect());
}

task<reply> client::execute(request asked) {
    auto used = state_->connected();
    if (used == nullptr)
        used = co_await state_->connect();
    co_return co_await used->execute(std::move(asked));
}

task<std::vector<reply>> client::execute_all(pipeline asked) {
    auto used = state_->connected();
    if (used == nullptr)
        used = co_await state_->connect();
    co_return co_await used->execute_all(std::move(asked));
}

task<std::vector<reply>> client::execute_transaction(pipeline asked) {
    auto used = state_->connected();
    if (used == nullptr)
        used = co_await state_->connect();
    co_return co_await used->execute_transaction(std::move(asked));
}

task<reply> client::execute_blocking(request asked) {
    class own_connection mine = co_await own_connection();
    reply answer = co_await mine->execute(std::move(asked));
    std::move(mine).give_back();
    co_return answer;
}

task<class own_connection> client::own_connection() {
    auto state = state_;
    auto lent = co_await state->lend();
    co_return redis::own_connection(std::move(state), std::move(lent));
}

bool client::is_connected() const noexcept {
    return state_->connected() != nullptr;
}

const options& client::settings() const noexcept {
    return state_->settings;
}

own_connection::~own_connection() {
    if (lent_ != nullptr)
        owner_->leave_place();
}

void own_connection::give_back() && noexcept {
    owner_->keep(std::move(lent_));
    owner_->leave_place();
}

}  // namespace eddy::redis
