#pragma once

#include "eddy_etcd_messages.pb.h"
#include "eddy_etcd_services.eddy.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/rpc.hpp>
#include <eddy/sync/watch.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace eddy::etcd::test {

/// As much of etcd as the client uses, in memory, made with eddy::rpc: keys, their history, leases that never expire by
/// themselves. Belongs to a worker.
class memory_etcd {
public:
    memory_etcd() {
        calls.add(keys_);
        calls.add(watches_);
        calls.add(leases_);
    }
    memory_etcd(const memory_etcd&) = delete;
    memory_etcd& operator=(const memory_etcd&) = delete;
    ~memory_etcd() = default;

    rpc::services calls;
    /// Calls of put(), whatever has become of them.
    int puts = 0;
    /// What the next put fails with, before it does anything, or after.
    std::optional<rpc::status> refusal;
    std::optional<rpc::status> failure;
    /// Whether watches send what was before their start as well.
    bool repeats_events = false;
    /// Whether watches respond to nothing.
    bool is_silent = false;
    /// Watches that have begun, and requests for progress.
    int watches_begun = 0;
    int checks = 0;
    int renewals = 0;
    /// Ends each watch after so many responses with events.
    int responses_max = 1'000'000;

    [[nodiscard]] std::size_t lease_count() const noexcept { return lease_keys_.size(); }
    [[nodiscard]] std::size_t key_count() const noexcept { return store_.size(); }
    void compact(std::int64_t revision) { compacted_ = revision; }

private:
    using key_map = std::map<std::string, wire::KeyValue>;

    static bool is_in(const std::string& key, const std::string& first, const std::string& end) {
        return end.empty() ? key == first : key >= first && (end == std::string(1, '\0') || key < end);
    }

    wire::RangeResponse range(const wire::RangeRequest& what) const {
        wire::RangeResponse made;
        made.mutable_header()->set_revision(revision_.get());
        std::vector<const wire::KeyValue*> found;
        for (const auto& [key, value] : store_)
            if (is_in(key, what.key(), what.range_end()) &&
                (what.max_create_revision() == 0 || value.create_revision() <= what.max_create_revision()))
                found.push_back(&value);
        made.set_count(static_cast<std::int64_t>(found.size()));
        if (what.sort_target() == wire::RangeRequest::CREATE)
            std::ranges::sort(found, {}, [](const auto* each) { return each->create_revision(); });
        if (what.sort_order() == wire::RangeRequest::DESCEND)
            std::ranges::reverse(found);
        for (const auto* each : found) {
            if (what.limit() > 0 && made.kvs_size() == what.limit()) {
                made.set_more(true);
                break;
            }
            *made.add_kvs() = *each;
        }
        return made;
    }
    void put(const wire::PutRequest& what, std::int64_t revision) {
        wire::KeyValue changed;
        if (const auto found = store_.find(what.key()); found != store_.end())
            changed = found->second;
        else
            changed.set_create_revision(revision);
        changed.set_key(what.key());
        changed.set_value(what.value());
        changed.set_mod_revision(revision);
        changed.set_version(changed.version() + 1);
        changed.set_lease(what.lease());
        wire::Event noted;
        *noted.mutable_kv() = changed;
        history_.push_back(std::move(noted));
        if (what.lease() != 0)
            lease_keys_[what.lease()].push_back(what.key());
        store_[what.key()] = std::move(changed);
    }
    std::int64_t remove(const std::string& first, const std::string& end, std::int64_t revision) {
        std::int64_t removed = 0;
        for (auto at = store_.begin(); at != store_.end();) {
            if (!is_in(at->first, first, end)) {
                ++at;
                continue;
            }
            wire::Event noted;
            noted.set_type(wire::Event::DELETE);
            noted.mutable_kv()->set_key(at->first);
            noted.mutable_kv()->set_mod_revision(revision);
            history_.push_back(std::move(noted));
            at = store_.erase(at);
            ++removed;
        }
        return removed;
    }
    [[nodiscard]] bool holds(const wire::Compare& condition) const {
        static const wire::KeyValue none;
        const auto found = store_.find(condition.key());
        const wire::KeyValue& there = found == store_.end() ? none : found->second;
        switch (condition.target()) {
            case wire::Compare::VERSION:
                return there.version() == condition.version();
            case wire::Compare::CREATE:
                return there.create_revision() == condition.create_revision();
            case wire::Compare::LEASE:
                return there.lease() == condition.lease() && condition.lease() != 0;
            default:
                return false;
        }
    }

    class keys final : public etcdserverpb::kv_service {
    public:
        explicit keys(memory_etcd& of) : of_(of) {}
        task<wire::RangeResponse> range(rpc::server_call&, wire::RangeRequest what) override {
            co_return of_.range(what);
        }
        task<wire::PutResponse> put(rpc::server_call&, wire::PutRequest what) override {
            ++of_.puts;
            if (of_.refusal)
                throw rpc::error(*std::exchange(of_.refusal, std::nullopt));
            const std::int64_t revision = of_.revision_.get() + 1;
            of_.put(what, revision);
            of_.revision_.set(revision);
            if (of_.failure)
                throw rpc::error(*std::exchange(of_.failure, std::nullopt));
            wire::PutResponse made;
            made.mutable_header()->set_revision(revision);
            co_return made;
        }
        task<wire::DeleteRangeResponse> delete_range(rpc::server_call&,
                                                     wire::DeleteRangeRequest what) override {
            wire::DeleteRangeResponse made;
            const std::int64_t revision = of_.revision_.get() + 1;
            made.set_deleted(of_.remove(what.key(), what.range_end(), revision));
            made.mutable_header()->set_revision(revision);
            of_.revision_.set(revision);
            co_return made;
        }
        task<wire::TxnResponse> txn(rpc::server_call&, wire::TxnRequest what) override {
            wire::TxnResponse made;
            made.set_succeeded(
                std::ranges::all_of(what.compare(), [&](const auto& each) { return of_.holds(each); }));
            const std::int64_t revision = of_.revision_.get() + 1;
            const std::size_t before = of_.history_.size();
            for (const auto& each : made.succeeded() ? what.success() : what.failure()) {
                wire::ResponseOp& added = *made.add_responses();
                if (each.has_request_range()) {
                    *added.mutable_response_range() = of_.range(each.request_range());
                } else if (each.has_request_put()) {
                    of_.put(each.request_put(), revision);
                    added.mutable_response_put();
                } else {
                    const auto& removal = each.request_delete_range();
                    added.mutable_response_delete_range()->set_deleted(
                        of_.remove(removal.key(), removal.range_end(), revision));
                }
            }
            if (of_.history_.size() > before)
                of_.revision_.set(revision);
            made.mutable_header()->set_revision(of_.revision_.get());
            co_return made;
        }

    private:
        memory_etcd& of_;
    };

    class watches final : public etcdserverpb::watch_service {
    public:
        explicit watches(memory_etcd& of) : of_(of) {}
        async_generator<wire::WatchResponse> watch(rpc::server_call&,
                                                   rpc::reader<wire::WatchRequest>& requests) override {
            auto news = of_.revision_.subscribe();
            const auto first = co_await requests.read();
            if (!first)
                co_return;
            const wire::WatchCreateRequest what = first->create_request();
            ++of_.watches_begun;
            std::int64_t next = what.start_revision() > 0 ? what.start_revision() : of_.revision_.get() + 1;
            co_yield of_.response(true);
            if (next <= of_.compacted_) {
                wire::WatchResponse gone = of_.response(false);
                gone.set_canceled(true);
                gone.set_compact_revision(of_.compacted_);
                co_yield std::move(gone);
                co_return;
            }
            if (of_.repeats_events)
                next = 0;
            for (int left = of_.responses_max;;) {
                wire::WatchResponse seen = of_.response(false);
                for (const auto& each : of_.history_)
                    if (each.kv().mod_revision() >= next &&
                        is_in(each.kv().key(), what.key(), what.range_end()))
                        *seen.add_events() = each;
                next = of_.revision_.get() + 1;
                if (seen.events_size() > 0) {
                    if (left-- == 0)
                        throw rpc::error(rpc::status_code::unavailable, "enough");
                    co_yield std::move(seen);
                }
                const auto came = co_await race(requests.read(), news.changed());
                if (came.index() == 1)
                    continue;
                if (!std::get<0>(came))
                    co_return;
                ++of_.checks;
                if (of_.is_silent)
                    continue;
                wire::WatchResponse progress = of_.response(false);
                progress.set_watch_id(-1);
                co_yield std::move(progress);
            }
        }

    private:
        memory_etcd& of_;
    };

    class leases final : public etcdserverpb::lease_service {
    public:
        explicit leases(memory_etcd& of) : of_(of) {}
        task<wire::LeaseGrantResponse> lease_grant(rpc::server_call&, wire::LeaseGrantRequest what) override {
            of_.lease_keys_.try_emplace(what.id());
            wire::LeaseGrantResponse made;
            made.set_id(what.id());
            made.set_ttl(what.ttl());
            co_return made;
        }
        task<wire::LeaseRevokeResponse> lease_revoke(rpc::server_call&,
                                                     wire::LeaseRevokeRequest what) override {
            const auto found = of_.lease_keys_.find(what.id());
            if (found == of_.lease_keys_.end())
                throw rpc::error(rpc::status_code::not_found, "etcdserver: requested lease not found");
            const std::int64_t revision = of_.revision_.get() + 1;
            for (const auto& key : found->second)
                of_.remove(key, "", revision);
            of_.lease_keys_.erase(found);
            of_.revision_.set(revision);
            co_return wire::LeaseRevokeResponse();
        }
        async_generator<wire::LeaseKeepAliveResponse> lease_keep_alive(
            rpc::server_call&, rpc::reader<wire::LeaseKeepAliveRequest>& requests) override {
            while (const auto request = co_await requests.read()) {
                wire::LeaseKeepAliveResponse made;
                made.set_id(request->id());
                ++of_.renewals;
                made.set_ttl(of_.lease_keys_.contains(request->id()) ? 10 : 0);
                co_yield std::move(made);
            }
        }

    private:
        memory_etcd& of_;
    };

    [[nodiscard]] wire::WatchResponse response(bool is_creation) const {
        wire::WatchResponse made;
        made.mutable_header()->set_revision(revision_.get());
        made.set_created(is_creation);
        return made;
    }

    key_map store_;
    std::vector<wire::Event> history_;
    std::map<std::int64_t, std::vector<std::string>> lease_keys_;
    std::int64_t compacted_ = 0;
    eddy::watch<std::int64_t> revision_{1};
    keys keys_{*this};
    watches watches_{*this};
    leases leases_{*this};
};

}  // namespace eddy::etcd::test
