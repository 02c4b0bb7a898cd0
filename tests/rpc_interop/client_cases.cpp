#include "client_cases.hpp"

#include "expectations.hpp"
#include "test_service.eddy.hpp"

#include <eddy/core/task.hpp>
#include <eddy/rpc/call.hpp>
#include <eddy/rpc/call_options.hpp>
#include <eddy/rpc/channel.hpp>
#include <eddy/rpc/client_stream.hpp>
#include <eddy/rpc/compression.hpp>
#include <eddy/rpc/status.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::interop {
namespace {

using namespace grpc::testing;
using namespace std::chrono_literals;
using client = test_service_client;
using stream = rpc::client_stream<StreamingOutputCallRequest, StreamingOutputCallResponse>;

constexpr int large_request_bytes = 271828;
constexpr int large_response_bytes = 314159;
constexpr std::array request_bytes{27182, 8, 1828, 45904};
constexpr std::array response_bytes{31415, 9, 2653, 58979};

Payload payload_of(int bytes) {
    Payload payload;
    payload.set_body(std::string(static_cast<std::size_t>(bytes), '\0'));
    return payload;
}

SimpleRequest large_request() {
    SimpleRequest request;
    request.set_response_size(large_response_bytes);
    *request.mutable_payload() = payload_of(large_request_bytes);
    return request;
}

void expect_large(const SimpleResponse& response) {
    expect_zeros(response.payload().body(), large_response_bytes);
}

StreamingOutputCallRequest output_request(std::optional<int> response_size, std::optional<int> request_size) {
    StreamingOutputCallRequest request;
    if (response_size)
        request.add_response_parameters()->set_size(*response_size);
    if (request_size)
        *request.mutable_payload() = payload_of(*request_size);
    return request;
}

rpc::compression compression_of(bool is_compressed) {
    return is_compressed ? rpc::compression::gzip : rpc::compression::identity;
}

task<> empty_unary(const rpc::channel& server) {
    co_await client(server).empty_call(Empty());
}

/// No cache stands between the two, so that the second response need not be the first.
task<> cacheable_unary(const rpc::channel& server) {
    SimpleRequest request;
    request.mutable_payload()->set_body(
        std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
    for (int i = 0; i < 2; ++i) {
        auto options = rpc::call_options().metadata("x-user-ip", "1.2.3.4");
        const auto response = co_await client(server).cacheable_unary_call(request, std::move(options));
        expect(!response.payload().body().empty(), "a response without a payload");
    }
}

task<> large_unary(const rpc::channel& server) {
    expect_large(co_await client(server).unary_call(large_request()));
}

task<> client_compressed_unary(const rpc::channel& server) {
    auto request = large_request();
    request.mutable_expect_compressed()->set_value(true);
    const auto probe = co_await status_of(client(server).unary_call(request));
    expect_code(probe, rpc::status_code::invalid_argument);
    for (const bool is_compressed : {true, false}) {
        request.mutable_expect_compressed()->set_value(is_compressed);
        auto options = rpc::call_options().compression(compression_of(is_compressed));
        expect_large(co_await client(server).unary_call(request, std::move(options)));
    }
}

task<> server_compressed_unary(const rpc::channel& server) {
    auto request = large_request();
    for (const bool is_compressed : {true, false}) {
        request.mutable_response_compressed()->set_value(is_compressed);
        rpc::call_info info;
        auto options = rpc::call_options().info(&info);
        expect_large(co_await client(server).unary_call(request, std::move(options)));
        expect(info.was_compressed() == is_compressed, "the response is compressed otherwise than requested");
    }
}

task<> client_streaming(const rpc::channel& server) {
    auto requests = client(server).streaming_input_call();
    for (const int bytes : request_bytes) {
        StreamingInputCallRequest request;
        *request.mutable_payload() = payload_of(bytes);
        const bool is_sent = co_await requests.write(request);
        expect(is_sent, "the call ended before its last request");
    }
    const auto response = co_await requests.finish();
    expect_equal(response.aggregated_payload_size(), 74922, "the sum of payloads");
}

StreamingInputCallRequest input_request(bool is_compressed, int bytes) {
    StreamingInputCallRequest request;
    request.mutable_expect_compressed()->set_value(is_compressed);
    *request.mutable_payload() = payload_of(bytes);
    return request;
}

task<> client_compressed_streaming(const rpc::channel& server) {
    auto probe = client(server).streaming_input_call();
    co_await probe.write(input_request(true, 27182));
    expect_code(co_await status_of(probe.finish()), rpc::status_code::invalid_argument);

    auto requests =
        client(server).streaming_input_call(rpc::call_options().compression(rpc::compression::gzip));
    const bool first_is_sent = co_await requests.write(input_request(true, 27182));
    requests.set_compression(rpc::compression::identity);
    const bool second_is_sent = co_await requests.write(input_request(false, 45904));
    expect(first_is_sent && second_is_sent, "the call ended before its last request");
    const auto response = co_await requests.finish();
    expect_equal(response.aggregated_payload_size(), 73086, "the sum of payloads");
}

task<> server_streaming(const rpc::channel& server) {
    StreamingOutputCallRequest request;
    for (const int bytes : response_bytes)
        request.add_response_parameters()->set_size(bytes);
    auto responses = client(server).streaming_output_call(request);
    for (const int bytes : response_bytes) {
        const auto response = co_await responses.next();
        expect(static_cast<bool>(response), "fewer responses than requested");
        expect_zeros(response->payload().body(), bytes);
    }
    const bool has_more = static_cast<bool>(co_await responses.next());
    expect(!has_more, "more responses than requested");
}

task<> server_compressed_streaming(const rpc::channel& server) {
    constexpr std::array expected{std::pair(true, 31415), std::pair(false, 92653)};
    StreamingOutputCallRequest request;
    for (const auto& [is_compressed, bytes] : expected) {
        auto& parameters = *request.add_response_parameters();
        parameters.mutable_compressed()->set_value(is_compressed);
        parameters.set_size(bytes);
    }
    rpc::call_info info;
    auto responses = client(server).streaming_output_call(request, rpc::call_options().info(&info));
    for (const auto& [is_compressed, bytes] : expected) {
        const auto response = co_await responses.next();
        expect(static_cast<bool>(response), "fewer responses than requested");
        expect_zeros(response->payload().body(), bytes);
        expect(info.was_compressed() == is_compressed, "a response is compressed otherwise than requested");
    }
    const bool has_more = static_cast<bool>(co_await responses.next());
    expect(!has_more, "more responses than requested");
}

task<> expect_end(stream& call) {
    const bool has_more = (co_await call.read()).has_value();
    expect(!has_more, "more responses than requested");
}

task<> exchange(stream& call, int sent, int received) {
    co_await call.write(output_request(received, sent));
    const auto response = co_await call.read();
    expect(response.has_value(), "fewer responses than requested");
    expect_zeros(response->payload().body(), received);
}

task<> ping_pong(const rpc::channel& server) {
    auto call = client(server).full_duplex_call();
    for (std::size_t i = 0; i < request_bytes.size(); ++i)
        co_await exchange(call, request_bytes[i], response_bytes[i]);
    co_await call.finish_writing();
    co_await expect_end(call);
}

task<> empty_stream(const rpc::channel& server) {
    auto call = client(server).full_duplex_call();
    co_await call.finish_writing();
    co_await expect_end(call);
}

constexpr std::string_view initial_name = "x-grpc-test-echo-initial";
constexpr std::string_view initial_value = "test_initial_metadata_value";
constexpr std::string_view trailing_name = "x-grpc-test-echo-trailing-bin";
constexpr std::string_view trailing_value = "\xab\xab\xab";

rpc::call_options with_metadata() {
    return rpc::call_options().metadata(initial_name, initial_value).metadata(trailing_name, trailing_value);
}

void expect_metadata(const rpc::metadata& initial, const rpc::metadata& trailing) {
    expect(initial.find(initial_name) == initial_value, "the initial metadata did not come back");
    expect(trailing.find(trailing_name) == trailing_value, "the trailing metadata did not come back");
}

task<> custom_metadata(const rpc::channel& server) {
    rpc::call_info info;
    auto options = with_metadata().info(&info);
    expect_large(co_await client(server).unary_call(large_request(), std::move(options)));
    expect_metadata(info.initial_metadata(), info.trailing_metadata());

    auto call = client(server).full_duplex_call(with_metadata());
    co_await exchange(call, large_request_bytes, large_response_bytes);
    co_await call.finish_writing();
    co_await expect_end(call);
    expect_metadata(call.initial_metadata(), call.trailing_metadata());
}

/// What a call returns that is to end with this status.
task<> expect_echo(const rpc::channel& server, std::string message, bool also_streaming) {
    SimpleRequest request;
    request.mutable_response_status()->set_code(static_cast<int>(rpc::status_code::unknown));
    request.mutable_response_status()->set_message(message);
    const rpc::status expected(rpc::status_code::unknown, message);
    expect_status(co_await status_of(client(server).unary_call(request)), expected);
    if (!also_streaming)
        co_return;
    StreamingOutputCallRequest streamed;
    *streamed.mutable_response_status() = request.response_status();
    auto call = client(server).full_duplex_call();
    co_await call.write(streamed);
    co_await call.finish_writing();
    expect_status(co_await status_of(call.read()), expected);
}

task<> status_code_and_message(const rpc::channel& server) {
    return expect_echo(server, "test status message", true);
}

task<> special_status_message(const rpc::channel& server) {
    return expect_echo(
        server, "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \U0001f608\t\n", false);
}

task<> unimplemented_method(const rpc::channel& server) {
    const auto status = co_await status_of(client(server).unimplemented_call(Empty()));
    expect_code(status, rpc::status_code::unimplemented);
}

task<> unimplemented_service(const rpc::channel& server) {
    const auto status = co_await status_of(unimplemented_service_client(server).unimplemented_call(Empty()));
    expect_code(status, rpc::status_code::unimplemented);
}

/// A call is cancelled by being dropped: no status comes of that, and the channel serves the next one.
task<> cancel_after_begin(const rpc::channel& server) {
    {
        const auto dropped = client(server).streaming_input_call();
    }
    co_await empty_unary(server);
}

task<> cancel_after_first_response(const rpc::channel& server) {
    {
        auto call = client(server).full_duplex_call();
        co_await exchange(call, request_bytes[0], response_bytes[0]);
    }
    co_await empty_unary(server);
}

task<> timeout_on_sleeping_server(const rpc::channel& server) {
    auto call = client(server).full_duplex_call(rpc::call_options().timeout(1ms));
    co_await call.write(output_request(std::nullopt, request_bytes[0]));
    expect_code(co_await status_of(call.read()), rpc::status_code::deadline_exceeded);
}

}  // namespace

std::span<const client_case> client_cases() noexcept {
    static constexpr auto cases = std::to_array<client_case>({
        {"empty_unary", empty_unary},
        {"cacheable_unary", cacheable_unary},
        {"large_unary", large_unary},
        {"client_compressed_unary", client_compressed_unary},
        {"server_compressed_unary", server_compressed_unary},
        {"client_streaming", client_streaming},
        {"client_compressed_streaming", client_compressed_streaming},
        {"server_streaming", server_streaming},
        {"server_compressed_streaming", server_compressed_streaming},
        {"ping_pong", ping_pong},
        {"empty_stream", empty_stream},
        {"custom_metadata", custom_metadata},
        {"status_code_and_message", status_code_and_message},
        {"special_status_message", special_status_message},
        {"unimplemented_method", unimplemented_method},
        {"unimplemented_service", unimplemented_service},
        {"cancel_after_begin", cancel_after_begin},
        {"cancel_after_first_response", cancel_after_first_response},
        {"timeout_on_sleeping_server", timeout_on_sleeping_server},
    });
    return cases;
}

}  // namespace eddy::interop
