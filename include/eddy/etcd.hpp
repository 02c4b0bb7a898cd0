#pragma once

// A client of etcd, made with <eddy/rpc.hpp>.

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
