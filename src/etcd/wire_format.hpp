#pragma once

#include "eddy_etcd_messages.pb.h"

#include <eddy/etcd/key_value.hpp>
#include <eddy/etcd/requests.hpp>
#include <eddy/etcd/responses.hpp>
#include <eddy/etcd/transaction.hpp>
#include <eddy/etcd/watch.hpp>

namespace eddy::etcd::detail {

// Our values as etcd's messages, and its messages as our values, which take their strings.
[[nodiscard]] wire::RangeRequest to_wire(const range_request& from);
[[nodiscard]] wire::PutRequest to_wire(const put_request& from);
[[nodiscard]] wire::DeleteRangeRequest to_wire(const delete_request& from);
[[nodiscard]] wire::TxnRequest to_wire(const transaction& from);

[[nodiscard]] key_value from_wire(wire::KeyValue&& from);
[[nodiscard]] event from_wire(wire::Event&& from);
[[nodiscard]] range_response from_wire(wire::RangeResponse&& from);
[[nodiscard]] put_response from_wire(wire::PutResponse&& from);
[[nodiscard]] delete_response from_wire(wire::DeleteRangeResponse&& from);
[[nodiscard]] txn_response from_wire(wire::TxnResponse&& from);

}  // namespace eddy::etcd::detail
