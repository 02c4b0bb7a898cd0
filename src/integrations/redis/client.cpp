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

task<reply> client::execute(request req) {
    auto used = state_->connected();
    if (used == nullptr)
        used = co_await state_->connect();
    co_return co_await used->execute(std::move(req));
}

task<std::vector<reply>> client::execute_all(pipeline batch) {
    auto used = state_->connected();
    if (used == nullptr)
        used = co_await state_->connect();
    co_return co_await used->execute_all(std::move(batch));
}

task<std::vector<reply>> client::execute_transaction(pipeline batch) {
    auto used = state_->connected();
    if (used == nullptr)
        used = co_await state_->connect();
    co_return co_await used->execute_transaction(std::move(batch));
}

task<reply> client::execute_blocking(request req) {
    class dedicated_connection mine = co_await dedicated_connection();
    reply answer = co_await mine->execute(std::move(req));
    std::move(mine).give_back();
    co_return answer;
}

task<class dedicated_connection> client::dedicated_connection() {
    auto state = state_;
    auto lent = co_await state->lend();
    co_return redis::dedicated_connection(std::move(state), std::move(lent));
}

bool client::is_connected() const noexcept {
    return state_->connected() != nullptr;
}

const options& client::settings() const noexcept {
    return state_->settings;
}

dedicated_connection::~dedicated_connection() {
    if (lent_ != nullptr)
        owner_->leave_place();
}

void dedicated_connection::give_back() && noexcept {
    owner_->keep(std::move(lent_));
    owner_->leave_place();
}

}  // namespace eddy::redis
