#include "interop_service.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/elements_of.hpp>
#include <eddy/core/task.hpp>
#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/server_call.hpp>
#include <eddy/rpc/status.hpp>
#include <eddy/runtime/sleep.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::interop {
namespace {

namespace proto = grpc::testing;

constexpr std::string_view initial_name = "x-grpc-test-echo-initial";
constexpr std::string_view trailing_name = "x-grpc-test-echo-trailing-bin";

/// "Echo Metadata".
void echo_metadata(rpc::server_call& call) {
    if (const auto value = call.request_metadata().find(initial_name))
        call.add_initial_metadata(initial_name, *value);
    if (const auto value = call.request_metadata().find(trailing_name))
        call.add_trailing_metadata(trailing_name, *value);
}

/// "Echo Status".
template <class Request>
void echo_status(const Request& request) {
    if (!request.has_response_status() || request.response_status().code() == 0)
        return;
    const auto code = static_cast<rpc::status_code>(request.response_status().code());
    throw rpc::error(code, request.response_status().message());
}

/// "CompressedRequest".
template <class Request>
void check_compression(const rpc::server_call& call, const Request& request) {
    if (request.has_expect_compressed() && request.expect_compressed().value() != call.was_compressed())
        throw rpc::error(rpc::status_code::invalid_argument, "compressed otherwise than the request says");
}

rpc::compression compression_of(const proto::BoolValue& is_compressed) {
    return is_compressed.value() ? rpc::compression::gzip : rpc::compression::identity;
}

proto::Payload payload_of(int bytes) {
    if (bytes < 0)
        throw rpc::error(rpc::status_code::invalid_argument, "a payload of less than nothing");
    proto::Payload payload;
    payload.set_body(std::string(static_cast<std::size_t>(bytes), '\0'));
    return payload;
}

void check_type(proto::PayloadType type) {
    if (type != proto::COMPRESSABLE)
        throw rpc::error(rpc::status_code::invalid_argument, "a payload of an unknown type");
}

/// One response for each of the request's parameters, at its time.
async_generator<proto::StreamingOutputCallResponse> responses_to(rpc::server_call& call,
                                                                 proto::StreamingOutputCallRequest request) {
    check_type(request.response_type());
    const auto is_compressed = [](const proto::ResponseParameters& each) {
        return each.compressed().value();
    };
    if (std::ranges::any_of(request.response_parameters(), is_compressed)) {
        // The head of the response says so, whether the first one is compressed or not.
        call.set_compression(rpc::compression::gzip);
        co_await call.send_initial_metadata();
    }
    for (const auto& parameters : request.response_parameters()) {
        if (parameters.interval_us() > 0)
            co_await sleep_for(std::chrono::microseconds(parameters.interval_us()));
        if (parameters.has_compressed())
            call.set_compression(compression_of(parameters.compressed()));
        proto::StreamingOutputCallResponse response;
        *response.mutable_payload() = payload_of(parameters.size());
        co_yield std::move(response);
    }
}

}  // namespace

task<interop_service::empty> interop_service::empty_call(rpc::server_call& call, empty) {
    echo_metadata(call);
    co_return empty();
}

task<interop_service::simple_response> interop_service::unary_call(rpc::server_call& call,
                                                                   simple_request request) {
    echo_metadata(call);
    check_compression(call, request);
    echo_status(request);
    check_type(request.response_type());
    if (request.has_response_compressed())
        call.set_compression(compression_of(request.response_compressed()));
    simple_response response;
    *response.mutable_payload() = payload_of(request.response_size());
    if (request.fill_server_id())
        response.set_server_id("eddy-grpc-interop");
    co_return response;
}

task<interop_service::simple_response> interop_service::cacheable_unary_call(rpc::server_call& call,
                                                                             simple_request) {
    call.add_initial_metadata("cache-control", "max-age=60, public");
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    simple_response response;
    response.mutable_payload()->set_body(
        std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()));
    co_return response;
}

async_generator<interop_service::output_response> interop_service::streaming_output_call(
    rpc::server_call& call, output_request request) {
    echo_metadata(call);
    echo_status(request);
    co_yield elements_of(responses_to(call, std::move(request)));
}

task<interop_service::input_response> interop_service::streaming_input_call(
    rpc::server_call& call, rpc::reader<input_request>& requests) {
    echo_metadata(call);
    input_response response;
    while (const auto request = co_await requests.read()) {
        check_compression(call, *request);
        const auto size = static_cast<int>(request->payload().body().size());
        response.set_aggregated_payload_size(response.aggregated_payload_size() + size);
    }
    co_return response;
}

async_generator<interop_service::output_response> interop_service::full_duplex_call(
    rpc::server_call& call, rpc::reader<output_request>& requests) {
    echo_metadata(call);
    while (auto request = co_await requests.read()) {
        echo_status(*request);
        co_yield elements_of(responses_to(call, std::move(*request)));
    }
}

async_generator<interop_service::output_response> interop_service::half_duplex_call(
    rpc::server_call& call, rpc::reader<output_request>& requests) {
    echo_metadata(call);
    std::vector<output_request> all;
    while (auto request = co_await requests.read())
        all.push_back(std::move(*request));
    for (auto& request : all) {
        echo_status(request);
        co_yield elements_of(responses_to(call, std::move(request)));
    }
}

}  // namespace eddy::interop
