#include "etcd/endpoint_entry.hpp"
#include "etcd/lease_state.hpp"
#include "etcd/registration_state.hpp"

#include <eddy/etcd/registration.hpp>
#include <eddy/runtime/sleep.hpp>

#include <utility>

namespace eddy::etcd {
namespace detail {

registration_state::registration_state(std::shared_ptr<client_state> db, const std::string& name,
                                       const endpoint& at, std::chrono::seconds ttl)
    : db_(std::move(db)), key_(name + '/' + at.to_string()), value_(entry_of(at)), ttl_(ttl) {}

task<> registration_state::enter() {
    lease made(co_await grant_lease(db_, ttl_));
    wire::PutRequest put;
    put.set_key(key_);
    put.set_value(value_);
    put.set_lease(made.id());
    static_cast<void>(co_await db_->call(&etcdserverpb::kv_client::put, std::move(put), repeating::always));
    held_.emplace(std::move(made));
}

task<> registration_state::enter_again() {
    attempts made = db_->new_attempts();
    for (;;) {
        if (held_)
            co_await held_->lost();
        held_.reset();
        try {
            co_await enter();
            made.reset();
            continue;
        } catch (const rpc::error&) {
            // etcd is away, or refuses it for now; there is no task that could be shown this.
            held_.reset();
        }
        co_await sleep_for(made.next_wait());
    }
}

task<> registration_state::withdraw() {
    keeping_.cancel();
    if (held_)
        co_await held_->revoke();
    held_.reset();
}

namespace {

task<registration> make_registration(std::shared_ptr<client_state> db, std::string name, endpoint at,
                                     std::chrono::seconds ttl) {
    auto made = std::make_unique<registration_state>(std::move(db), name, at, ttl);
    co_await made->enter();
    made->keep();
    co_return registration(std::move(made));
}

}  // namespace
}  // namespace detail

registration::registration(std::unique_ptr<detail::registration_state> made) noexcept
    : state_(std::move(made)) {}
registration::registration(registration&&) noexcept = default;
registration& registration::operator=(registration&&) noexcept = default;
registration::~registration() = default;

task<> registration::withdraw() {
    return state_->withdraw();
}

task<registration> register_endpoint(const client& db, std::string name, endpoint at,
                                     std::chrono::seconds ttl) {
    return detail::make_registration(db.state(), std::move(name), at, ttl);
}

}  // namespace eddy::etcd
