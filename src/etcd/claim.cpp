#include "etcd/claim_state.hpp"
#include "etcd/watching.hpp"
#include "etcd/wire_format.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/etcd/claim.hpp>

#include <charconv>
#include <new>
#include <utility>
#include <variant>

// As etcd's client for Go has it: each contender has a key below the name, which is that of its lease. The oldest holds
// the lock; the others wait for the removal of the one before them, so that one is woken at a time.
namespace eddy::etcd {
namespace detail {
namespace {

std::string hex(std::int64_t number) {
    char digits[16];
    const auto end =
        std::to_chars(digits, digits + sizeof digits, static_cast<std::uint64_t>(number), 16).ptr;
    return std::string(digits, end);
}

/// Each of them has the same effect when it is made twice.
task<txn_response> commit_repeatedly(client_state& db, transaction what) {
    wire::TxnRequest request = to_wire(what);
    wire::TxnResponse response =
        co_await db.call(&etcdserverpb::kv_client::txn, std::move(request), repeating::always);
    co_return from_wire(std::move(response));
}

[[noreturn]] void throw_lost() {
    throw rpc::error(rpc::status_code::failed_precondition, "the claim, or its lease, was lost");
}

task<> remove_key(client_state& db, transaction removal) {
    static_cast<void>(co_await commit_repeatedly(db, std::move(removal)));
}

}  // namespace

claim_state::claim_state(std::shared_ptr<client_state> db, std::shared_ptr<lease_state> under,
                         std::string name)
    : db_(std::move(db)),
      lease_(std::move(under)),
      prefix_(std::move(name) + '/'),
      key_(prefix_ + hex(lease_->id())) {}

claim_state::~claim_state() {
    if (!may_exist_ || lease_->is_lost())
        return;
    try {
        transaction removal;
        removal.when(held()).then(delete_request(key_));
        db_->run_in_background(remove_key(*db_, std::move(removal)));
    } catch (const std::bad_alloc&) {
        // It ends with its lease.
        return;
    }
}

compare claim_state::held() const {
    // A key that exists under this lease is this one, as long as its revision is not known.
    return revision_ == 0 ? compare::lease(key_).equal(lease_->id())
                          : compare::create_revision(key_).equal(revision_);
}

task<> claim_state::enter(std::string value) {
    put_request put(key_, value);
    put.lease(lease_->id());
    transaction entry;
    entry.when(compare::create_revision(key_).equal(0)).then(std::move(put)).otherwise(range_request(key_));
    may_exist_ = true;
    txn_response made;
    try {
        made = co_await commit_repeatedly(*db_, std::move(entry));
    } catch (const rpc::error& failure) {
        // The lease does not exist.
        if (failure.code() != rpc::status_code::not_found)
            throw;
        may_exist_ = false;
        throw_lost();
    }
    if (made.succeeded) {
        revision_ = made.revision;
        co_return;
    }
    // An earlier attempt has made it, or another claim of the same lease, whose value is replaced.
    const key_value& there = std::get<range_response>(made.responses.front()).kvs.front();
    revision_ = there.create_revision;
    if (there.value != value)
        co_await proclaim(std::move(value));
}

task<> claim_state::wait_turn() {
    for (;;) {
        range_request before(key_range::prefix(prefix_));
        before.max_create_revision(revision_ - 1)
            .sort(sort_target::create_revision, sort_order::descend)
            .limit(1);
        transaction query;
        query.when(held()).then(std::move(before));
        const txn_response found = co_await commit_repeatedly(*db_, std::move(query));
        if (!found.succeeded)
            throw_lost();
        const range_response& others = std::get<range_response>(found.responses.front());
        if (others.kvs.empty())
            co_return;
        const key_value& last = others.kvs.front();
        const auto first = co_await race(
            lease_->lost(), wait_removed(db_, last.key, last.create_revision, found.revision + 1));
        if (first.index() == 0)
            throw_lost();
    }
}

task<> claim_state::lost() {
    static_cast<void>(co_await race(lease_->lost(), wait_removed(db_, key_, revision_, revision_ + 1)));
}

task<> claim_state::proclaim(std::string value) {
    put_request put(key_, std::move(value));
    put.lease(lease_->id());
    transaction change;
    change.when(held()).then(std::move(put));
    const txn_response made = co_await commit_repeatedly(*db_, std::move(change));
    if (!made.succeeded)
        throw_lost();
}

task<> claim_state::release() {
    transaction removal;
    removal.when(held()).then(delete_request(key_));
    co_await remove_key(*db_, std::move(removal));
    may_exist_ = false;
}

task<claim> make_claim(std::shared_ptr<client_state> db, std::shared_ptr<lease_state> under, std::string name,
                       std::string value) {
    auto made = std::make_unique<claim_state>(std::move(db), std::move(under), std::move(name));
    co_await made->enter(std::move(value));
    co_await made->wait_turn();
    co_return claim(std::move(made));
}

}  // namespace detail

claim::claim(std::unique_ptr<detail::claim_state> made) noexcept : state_(std::move(made)) {}
claim::claim(claim&&) noexcept = default;
claim& claim::operator=(claim&&) noexcept = default;
claim::~claim() = default;

const std::string& claim::key() const noexcept {
    return state_->key();
}
std::int64_t claim::revision() const noexcept {
    return state_->revision();
}
compare claim::held() const {
    return state_->held();
}
task<> claim::lost() const {
    return state_->lost();
}
task<> claim::proclaim(std::string value) {
    return state_->proclaim(std::move(value));
}
task<> claim::release() {
    return state_->release();
}

}  // namespace eddy::etcd
