// The module eddy.rpc: calls between programs, as gRPC has them.
// Written by scripts/check_tree.py --update-modules from the public headers.
module;

#include <eddy/rpc.hpp>
#include <eddy/rpc/call.hpp>
#include <eddy/rpc/call_credentials.hpp>
#include <eddy/rpc/call_options.hpp>
#include <eddy/rpc/channel.hpp>
#include <eddy/rpc/client_stream.hpp>
#include <eddy/rpc/codec.hpp>
#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/health.hpp>
#include <eddy/rpc/metadata.hpp>
#include <eddy/rpc/name_resolver.hpp>
#include <eddy/rpc/protocol.hpp>
#include <eddy/rpc/reflection.hpp>
#include <eddy/rpc/server_call.hpp>
#include <eddy/rpc/service.hpp>
#include <eddy/rpc/services.hpp>
#include <eddy/rpc/status.hpp>

export module eddy.rpc;

export import eddy.http2;

export namespace eddy::rpc {
using eddy::rpc::balancing;
using eddy::rpc::call;
using eddy::rpc::call_credentials;
using eddy::rpc::call_info;
using eddy::rpc::call_metrics;
using eddy::rpc::call_options;
using eddy::rpc::call_streaming;
using eddy::rpc::channel;
using eddy::rpc::channel_options;
using eddy::rpc::client_stream;
using eddy::rpc::codec;
using eddy::rpc::compression;
using eddy::rpc::error;
using eddy::rpc::health_reply;
using eddy::rpc::health_request;
using eddy::rpc::health_service;
using eddy::rpc::http2;
using eddy::rpc::http2_options;
using eddy::rpc::interceptor;
using eddy::rpc::message;
using eddy::rpc::metadata;
using eddy::rpc::method_kind;
using eddy::rpc::name_resolver;
using eddy::rpc::next_handler;
using eddy::rpc::open_stream;
using eddy::rpc::reader;
using eddy::rpc::reflection_service;
using eddy::rpc::reflection_version;
using eddy::rpc::server_call;
using eddy::rpc::service;
using eddy::rpc::service_method;
using eddy::rpc::services;
using eddy::rpc::services_options;
using eddy::rpc::serving_status;
using eddy::rpc::status;
using eddy::rpc::status_code;
using eddy::rpc::to_string;
}  // namespace eddy::rpc
