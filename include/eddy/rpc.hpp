#pragma once

// Calls between programs, as gRPC has them: clients, services, and what both share. Messages of protobuf come with
// <eddy/rpc/protobuf.hpp>.

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
#include <eddy/rpc/server_call.hpp>
#include <eddy/rpc/service.hpp>
#include <eddy/rpc/services.hpp>
#include <eddy/rpc/status.hpp>
