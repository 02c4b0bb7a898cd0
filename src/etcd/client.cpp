#include "etcd/claim_state.hpp"
#include "etcd/client_state.hpp"
#include "etcd/lease_state.hpp"
#include "etcd/observation.hpp"
#include "etcd/watching.hpp"
#include "etcd/wire_format.hpp"

#include <eddy/etcd/client.hpp>

namespace eddy::etcd {
namespace {

using detail::client_state;
using detail::repeating;
using etcdserverpb::kv_client;
using shared_state = std::shared_ptr<client_state>;

/// A request, and its response as one of our values.
template <class Response, class Request, class Reply>
task<Response> request(shared_state db,
                       task<Reply> (kv_client::*method)(const Request&, rpc::call_options) const,
                       Request what, repeating way) {
    Reply reply = co_await db->call(method, std::move(what), way);
    co_return detail::from_wire(std::move(reply));
}

task<range_response> read(shared_state db, const range_request& what) {
    return request<range_response>(std::move(db), &kv_client::range, detail::to_wire(what),
                                   repeating::always);
}

task<std::optional<key_value>> read_first(shared_state db, range_request what) {
    range_response found = co_await read(std::move(db), what);
    if (found.kvs.empty())
        co_return std::nullopt;
    co_return std::move(found.kvs.front());
}

async_generator<key_value> read_pages(shared_state db, wire::RangeRequest what) {
    for (bool more = true; more;) {
        range_response page =
            co_await request<range_response>(db, &kv_client::range, what, repeating::always);
        more = page.more;
        if (what.revision() == 0)
            what.set_revision(page.revision);
        if (more)
            what.set_key(page.kvs.back().key + '\0');
        for (key_value& each : page.kvs)
            co_yield std::move(each);
    }
}

task<> compact_store(shared_state db, std::int64_t revision) {
    wire::CompactionRequest what;
    what.set_revision(revision);
    static_cast<void>(co_await db->call(&kv_client::compact, std::move(what), repeating::unless_processed));
}

task<lease> grant_to(shared_state db, std::chrono::seconds ttl) {
    auto made = co_await detail::grant_lease(std::move(db), ttl);
    co_return lease(std::move(made));
}

}  // namespace

client::client(const std::vector<std::string>& endpoints, client_options options)
    : state_(std::make_shared<client_state>(endpoints, std::move(options))) {}
client::client(client&&) noexcept = default;
client& client::operator=(client&&) noexcept = default;
client::~client() = default;

task<std::optional<key_value>> client::get(std::string key) const {
    return read_first(state_, range_request(std::move(key)));
}

task<range_response> client::range(const range_request& what) const {
    return read(state_, what);
}

async_generator<key_value> client::pages(range_request what, std::int64_t keys_per_page) const {
    what.limit(keys_per_page).sort(sort_target::key);
    return read_pages(state_, detail::to_wire(what));
}

task<put_response> client::put(const put_request& what) const {
    return request<put_response>(state_, &kv_client::put, detail::to_wire(what), repeating::unless_processed);
}

task<delete_response> client::remove(const delete_request& what) const {
    return request<delete_response>(state_, &kv_client::delete_range, detail::to_wire(what),
                                    repeating::unless_processed);
}

task<txn_response> client::commit(const transaction& what) const {
    return request<txn_response>(state_, &kv_client::txn, detail::to_wire(what), repeating::unless_processed);
}

task<> client::compact(std::int64_t revision) const {
    return compact_store(state_, revision);
}

async_generator<watch_response> client::watch(key_range what, watch_options options) const {
    return detail::watch_keys(state_, std::move(what), options);
}

task<lease> client::grant(std::chrono::seconds ttl) const {
    return grant_to(state_, ttl);
}

task<claim> client::lock(std::string name, const lease& under) const {
    return detail::make_claim(state_, under.state(), std::move(name), {});
}

task<claim> client::campaign(std::string name, std::string value, const lease& under) const {
    return detail::make_claim(state_, under.state(), std::move(name), std::move(value));
}

task<std::optional<key_value>> client::leader(std::string name) const {
    range_request oldest(key_range::prefix(std::move(name) + '/'));
    oldest.sort(sort_target::create_revision).limit(1);
    return read_first(state_, std::move(oldest));
}

async_generator<key_value> client::observe(std::string name) const {
    return detail::observe_leaders(state_, std::move(name));
}

}  // namespace eddy::etcd
