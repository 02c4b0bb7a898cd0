#pragma once

#include "test_service.eddy.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/rpc/server_call.hpp>

namespace eddy::interop {

/// grpc.testing.TestService as gRPC's description of its interoperability tests has it, with all features of servers
/// but those that concern authentication.
class interop_service final : public grpc::testing::test_service_service {
public:
    using empty = grpc::testing::Empty;
    using simple_request = grpc::testing::SimpleRequest;
    using simple_response = grpc::testing::SimpleResponse;
    using input_request = grpc::testing::StreamingInputCallRequest;
    using input_response = grpc::testing::StreamingInputCallResponse;
    using output_request = grpc::testing::StreamingOutputCallRequest;
    using output_response = grpc::testing::StreamingOutputCallResponse;

    task<empty> empty_call(rpc::server_call& call, empty request) override;
    task<simple_response> unary_call(rpc::server_call& call, simple_request request) override;
    task<simple_response> cacheable_unary_call(rpc::server_call& call, simple_request request) override;
    async_generator<output_response> streaming_output_call(rpc::server_call& call,
                                                           output_request request) override;
    task<input_response> streaming_input_call(rpc::server_call& call,
                                              rpc::reader<input_request>& requests) override;
    async_generator<output_response> full_duplex_call(rpc::server_call& call,
                                                      rpc::reader<output_request>& requests) override;
    async_generator<output_response> half_duplex_call(rpc::server_call& call,
                                                      rpc::reader<output_request>& requests) override;
};

}  // namespace eddy::interop
