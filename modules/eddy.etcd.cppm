// The module eddy.etcd: a client of etcd.
// Written by scripts/check_tree.py --update-modules from the public headers.
module;

#include <eddy/etcd.hpp>
#include <eddy/etcd/claim.hpp>
#include <eddy/etcd/client.hpp>
#include <eddy/etcd/client_options.hpp>
#include <eddy/etcd/key_range.hpp>
#include <eddy/etcd/key_value.hpp>
#include <eddy/etcd/lease.hpp>
#include <eddy/etcd/name_resolver.hpp>
#include <eddy/etcd/registration.hpp>
#include <eddy/etcd/requests.hpp>
#include <eddy/etcd/responses.hpp>
#include <eddy/etcd/transaction.hpp>
#include <eddy/etcd/watch.hpp>

export module eddy.etcd;

export import eddy.rpc;

export namespace eddy::etcd {
using eddy::etcd::claim;
using eddy::etcd::client;
using eddy::etcd::client_options;
using eddy::etcd::compare;
using eddy::etcd::delete_request;
using eddy::etcd::delete_response;
using eddy::etcd::event;
using eddy::etcd::key_range;
using eddy::etcd::key_value;
using eddy::etcd::lease;
using eddy::etcd::name_resolver;
using eddy::etcd::put_request;
using eddy::etcd::put_response;
using eddy::etcd::range_request;
using eddy::etcd::range_response;
using eddy::etcd::register_endpoint;
using eddy::etcd::registration;
using eddy::etcd::sort_order;
using eddy::etcd::sort_target;
using eddy::etcd::transaction;
using eddy::etcd::txn_response;
using eddy::etcd::watch_options;
using eddy::etcd::watch_response;
}  // namespace eddy::etcd
