#include "etcd/lease_state.hpp"

#include <eddy/etcd/lease.hpp>
#include <eddy/runtime/detail/current_system.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>

#include <algorithm>
#include <utility>

namespace eddy::etcd {
namespace detail {
namespace {

using eddy::detail::deadline_after;

/// Renews a lease once. etcd has streams for that, of which this uses the first message: so each attempt may be made at
/// another node.
class renewal_client {
public:
    explicit renewal_client(const rpc::channel& channel) noexcept : through_(channel) {}

    task<wire::LeaseKeepAliveResponse> renew(const wire::LeaseKeepAliveRequest& request,
                                             rpc::call_options options) const {
        auto stream = through_.lease_keep_alive(std::move(options));
        static_cast<void>(co_await stream.write(request));
        auto response = co_await stream.read();
        if (!response)
            throw rpc::error(rpc::status_code::unavailable, "the node has ended the stream");
        co_return std::move(*response);
    }

private:
    etcdserverpb::lease_client through_;
};

task<> revoke_lease(client_state& db, std::int64_t id) {
    wire::LeaseRevokeRequest request;
    request.set_id(id);
    try {
        static_cast<void>(co_await db.call(&etcdserverpb::lease_client::lease_revoke, std::move(request),
                                           repeating::always));
    } catch (const rpc::error& failure) {
        // An earlier attempt has, or its time was over.
        if (failure.code() != rpc::status_code::not_found)
            throw;
    }
}

}  // namespace

lease_state::lease_state(std::shared_ptr<client_state> db, std::int64_t id, std::chrono::seconds ttl,
                         time_point since)
    : db_(std::move(db)), id_(id), ttl_(ttl), end_(deadline_after(since, ttl)) {
    renewing_ = spawn(renew_until_lost(), "etcd lease");
}

bool lease_state::is_lost() const noexcept {
    return lost_.is_set() || worker::current().now() >= end_;
}

task<bool> lease_state::renew() {
    const time_point since = worker::current().now();
    wire::LeaseKeepAliveRequest request;
    request.set_id(id_);
    // So that there is time for another node.
    const duration attempt_time = std::min(db_->options().attempt_time(), duration(ttl_) / 4);
    try {
        const wire::LeaseKeepAliveResponse renewed = co_await db_->call_until(
            &renewal_client::renew, std::move(request), repeating::always, end_, attempt_time);
        if (renewed.ttl() <= 0)
            co_return false;
        end_ = deadline_after(since, std::chrono::seconds(renewed.ttl()));
        co_return true;
    } catch (const rpc::error&) {
        co_return false;
    }
}

task<> lease_state::renew_until_lost() {
    bool exists = true;
    while (exists) {
        co_await sleep_until(std::min(end_, deadline_after(worker::current().now(), duration(ttl_) / 3)));
        exists = co_await renew();
    }
    lost_.set();
}

task<> lease_state::revoke() {
    renewing_.cancel();
    if (!lost_.is_set())
        co_await revoke_lease(*db_, id_);
    lost_.set();
}

void lease_state::abandon() noexcept {
    renewing_.cancel();
    if (lost_.is_set())
        return;
    try {
        db_->run_in_background(revoke_lease(*db_, id_));
    } catch (const std::bad_alloc&) {
    }
    lost_.set();
}

task<std::shared_ptr<lease_state>> grant_lease(std::shared_ptr<client_state> db, std::chrono::seconds ttl) {
    const time_point since = worker::current().now();
    // A number of ours, so that the request may be made again.
    const std::uint64_t bits = eddy::detail::current_system().randomness->bits();
    const auto id = std::max<std::int64_t>(1, static_cast<std::int64_t>(bits >> 1));
    wire::LeaseGrantRequest request;
    request.set_id(id);
    request.set_ttl(ttl.count());
    std::chrono::seconds granted = ttl;
    try {
        const wire::LeaseGrantResponse response = co_await db->call(&etcdserverpb::lease_client::lease_grant,
                                                                    std::move(request), repeating::always);
        granted = std::chrono::seconds(response.ttl());
    } catch (const rpc::error& failure) {
        // An earlier attempt has made it.
        if (failure.code() != rpc::status_code::failed_precondition)
            throw;
    }
    co_return std::make_shared<lease_state>(std::move(db), id, granted, since);
}

}  // namespace detail

lease::lease(std::shared_ptr<detail::lease_state> made) noexcept : state_(std::move(made)) {}
lease::lease(lease&&) noexcept = default;
lease& lease::operator=(lease&& other) noexcept {
    if (this != &other) {
        if (state_)
            state_->abandon();
        state_ = std::move(other.state_);
    }
    return *this;
}
lease::~lease() {
    if (state_)
        state_->abandon();
}

std::int64_t lease::id() const noexcept {
    return state_->id();
}
std::chrono::seconds lease::ttl() const noexcept {
    return state_->ttl();
}
bool lease::is_lost() const noexcept {
    return state_->is_lost();
}

namespace {

task<> wait_lost(std::shared_ptr<detail::lease_state> state) {
    co_await state->lost();
}
task<> revoke_state(std::shared_ptr<detail::lease_state> state) {
    co_await state->revoke();
}

}  // namespace

task<> lease::lost() const {
    return wait_lost(state_);
}
task<> lease::revoke() {
    return revoke_state(state_);
}

}  // namespace eddy::etcd
