#include "etcd/wire_format.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace eddy::etcd::detail {
namespace {

wire::RangeRequest::SortTarget to_wire(sort_target by) noexcept {
    switch (by) {
        case sort_target::version:
            return wire::RangeRequest::VERSION;
        case sort_target::create_revision:
            return wire::RangeRequest::CREATE;
        case sort_target::mod_revision:
            return wire::RangeRequest::MOD;
        case sort_target::value:
            return wire::RangeRequest::VALUE;
        case sort_target::key:
            break;
    }
    return wire::RangeRequest::KEY;
}

wire::RangeRequest::SortOrder to_wire(sort_order order) noexcept {
    switch (order) {
        case sort_order::ascend:
            return wire::RangeRequest::ASCEND;
        case sort_order::descend:
            return wire::RangeRequest::DESCEND;
        case sort_order::none:
            break;
    }
    return wire::RangeRequest::NONE;
}

wire::Compare::CompareResult to_wire(compare::result wanted) noexcept {
    switch (wanted) {
        case compare::result::greater:
            return wire::Compare::GREATER;
        case compare::result::less:
            return wire::Compare::LESS;
        case compare::result::not_equal:
            return wire::Compare::NOT_EQUAL;
        case compare::result::equal:
            break;
    }
    return wire::Compare::EQUAL;
}

void write_operand(wire::Compare& to, const compare& from) {
    if (from.compared() == compare::target::value) {
        to.set_target(wire::Compare::VALUE);
        to.set_value(std::get<std::string>(from.operand()));
        return;
    }
    const std::int64_t number = std::get<std::int64_t>(from.operand());
    switch (from.compared()) {
        case compare::target::create_revision:
            to.set_target(wire::Compare::CREATE);
            return to.set_create_revision(number);
        case compare::target::mod_revision:
            to.set_target(wire::Compare::MOD);
            return to.set_mod_revision(number);
        case compare::target::lease:
            to.set_target(wire::Compare::LEASE);
            return to.set_lease(number);
        default:
            to.set_target(wire::Compare::VERSION);
            return to.set_version(number);
    }
}

wire::RequestOp to_wire(const transaction::request& from) {
    wire::RequestOp made;
    if (const auto* const range = std::get_if<range_request>(&from))
        *made.mutable_request_range() = detail::to_wire(*range);
    else if (const auto* const put = std::get_if<put_request>(&from))
        *made.mutable_request_put() = detail::to_wire(*put);
    else
        *made.mutable_request_delete_range() = detail::to_wire(std::get<delete_request>(from));
    return made;
}

}  // namespace

wire::RangeRequest to_wire(const range_request& from) {
    wire::RangeRequest made;
    made.set_key(from.keys().key());
    made.set_range_end(from.keys().range_end());
    made.set_limit(from.limit());
    made.set_revision(from.revision());
    made.set_sort_target(to_wire(from.sort_by()));
    made.set_sort_order(to_wire(from.order()));
    made.set_serializable(from.is_serializable());
    made.set_keys_only(from.is_keys_only());
    made.set_count_only(from.is_count_only());
    made.set_max_create_revision(from.max_create_revision());
    return made;
}

wire::PutRequest to_wire(const put_request& from) {
    wire::PutRequest made;
    made.set_key(from.key());
    made.set_value(from.value());
    made.set_lease(from.lease());
    made.set_prev_kv(from.wants_prev_kv());
    return made;
}

wire::DeleteRangeRequest to_wire(const delete_request& from) {
    wire::DeleteRangeRequest made;
    made.set_key(from.keys().key());
    made.set_range_end(from.keys().range_end());
    made.set_prev_kv(from.wants_prev_kv());
    return made;
}

wire::TxnRequest to_wire(const transaction& from) {
    wire::TxnRequest made;
    for (const compare& each : from.compares()) {
        wire::Compare& added = *made.add_compare();
        added.set_key(each.key());
        added.set_result(to_wire(each.wanted()));
        write_operand(added, each);
    }
    for (const auto& each : from.success())
        *made.add_success() = to_wire(each);
    for (const auto& each : from.failure())
        *made.add_failure() = to_wire(each);
    return made;
}

key_value from_wire(wire::KeyValue&& from) {
    key_value made;
    made.key = std::move(*from.mutable_key());
    made.value = std::move(*from.mutable_value());
    made.create_revision = from.create_revision();
    made.mod_revision = from.mod_revision();
    made.version = from.version();
    made.lease = from.lease();
    return made;
}

event from_wire(wire::Event&& from) {
    event made;
    made.type = from.type() == wire::Event::DELETE ? event::kind::remove : event::kind::put;
    if (from.has_prev_kv())
        made.prev_kv = from_wire(std::move(*from.mutable_prev_kv()));
    made.kv = from_wire(std::move(*from.mutable_kv()));
    return made;
}

range_response from_wire(wire::RangeResponse&& from) {
    range_response made;
    made.revision = from.header().revision();
    made.more = from.more();
    made.count = from.count();
    made.kvs.reserve(static_cast<std::size_t>(from.kvs_size()));
    for (auto& each : *from.mutable_kvs())
        made.kvs.push_back(from_wire(std::move(each)));
    return made;
}

put_response from_wire(wire::PutResponse&& from) {
    put_response made;
    made.revision = from.header().revision();
    if (from.has_prev_kv())
        made.prev_kv = from_wire(std::move(*from.mutable_prev_kv()));
    return made;
}

delete_response from_wire(wire::DeleteRangeResponse&& from) {
    delete_response made;
    made.revision = from.header().revision();
    made.deleted = from.deleted();
    for (auto& each : *from.mutable_prev_kvs())
        made.prev_kvs.push_back(from_wire(std::move(each)));
    return made;
}

txn_response from_wire(wire::TxnResponse&& from) {
    txn_response made;
    made.revision = from.header().revision();
    made.succeeded = from.succeeded();
    for (auto& each : *from.mutable_responses()) {
        if (each.has_response_range())
            made.responses.emplace_back(from_wire(std::move(*each.mutable_response_range())));
        else if (each.has_response_put())
            made.responses.emplace_back(from_wire(std::move(*each.mutable_response_put())));
        else
            made.responses.emplace_back(from_wire(std::move(*each.mutable_response_delete_range())));
    }
    return made;
}

}  // namespace eddy::etcd::detail
