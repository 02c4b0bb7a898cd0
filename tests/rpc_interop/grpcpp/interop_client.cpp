// gRPC's interoperability test cases by libgrpc++, after its description of them.
#include "interop_client.hpp"

#include "message_flags.hpp"
#include "test_service.grpc.pb.h"

#include <array>
#include <chrono>
#include <grpcpp/grpcpp.h>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace interop {
namespace {

using namespace grpc::testing;
using grpc::ClientContext;
using grpc::Status;
using grpc::StatusCode;

constexpr std::array request_bytes{27182, 8, 1828, 45904};
constexpr std::array response_bytes{31415, 9, 2653, 58979};

void expect(bool holds, const std::string& otherwise) {
    if (!holds)
        throw std::runtime_error(otherwise);
}

void expect_code(const Status& status, StatusCode code) {
    expect(status.error_code() == code,
           "the call ended with code " + std::to_string(status.error_code()) + ": " + status.error_message());
}

void expect_zeros(const std::string& body, int bytes) {
    expect(body == std::string(static_cast<std::size_t>(bytes), '\0'), "not the payload that was requested");
}

template <class Request>
Request with_payload(int bytes) {
    Request request;
    request.mutable_payload()->set_body(std::string(static_cast<std::size_t>(bytes), '\0'));
    return request;
}

class client {
public:
    explicit client(const std::shared_ptr<grpc::Channel>& channel)
        : stub_(TestService::NewStub(channel)), absent_(UnimplementedService::NewStub(channel)) {}

    void empty_unary() {
        ClientContext context;
        Empty response;
        expect_code(stub_->EmptyCall(&context, Empty(), &response), StatusCode::OK);
    }
    void cacheable_unary() {
        ClientContext context;
        context.AddMetadata("x-user-ip", "1.2.3.4");
        SimpleResponse response;
        expect_code(stub_->CacheableUnaryCall(&context, large_request(), &response), StatusCode::OK);
        const auto& metadata = context.GetServerInitialMetadata();
        expect(metadata.find("cache-control") != metadata.end(), "a response that may not be cached");
    }
    void large_unary() { expect_large(large_request()); }
    void client_compressed_unary() {
        auto request = large_request();
        request.mutable_expect_compressed()->set_value(true);
        ClientContext probe;
        SimpleResponse response;
        expect_code(stub_->UnaryCall(&probe, request, &response), StatusCode::INVALID_ARGUMENT);
        expect_large(request, GRPC_COMPRESS_GZIP);
        request.mutable_expect_compressed()->set_value(false);
        expect_large(request);
    }
    void server_compressed_unary() {
        for (const bool is_compressed : {true, false}) {
            auto request = large_request();
            request.mutable_response_compressed()->set_value(is_compressed);
            ClientContext context;
            SimpleResponse response;
            expect_code(stub_->UnaryCall(&context, request, &response), StatusCode::OK);
            expect_zeros(response.payload().body(), 314159);
            expect(InteropClientContextInspector::was_compressed(context) == is_compressed,
                   "compressed otherwise");
        }
    }
    void client_streaming() {
        ClientContext context;
        StreamingInputCallResponse response;
        const auto writer = stub_->StreamingInputCall(&context, &response);
        for (const int bytes : request_bytes)
            expect(writer->Write(with_payload<StreamingInputCallRequest>(bytes)), "the call ended early");
        writer->WritesDone();
        expect_code(writer->Finish(), StatusCode::OK);
        expect(response.aggregated_payload_size() == 74922, "another sum of payloads");
    }
    void client_compressed_streaming() {
        auto request = with_payload<StreamingInputCallRequest>(27182);
        request.mutable_expect_compressed()->set_value(true);
        ClientContext probe;
        StreamingInputCallResponse response;
        const auto refused = stub_->StreamingInputCall(&probe, &response);
        refused->Write(request);
        refused->WritesDone();
        expect_code(refused->Finish(), StatusCode::INVALID_ARGUMENT);

        ClientContext context;
        context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
        const auto writer = stub_->StreamingInputCall(&context, &response);
        expect(writer->Write(request), "the call ended early");
        request = with_payload<StreamingInputCallRequest>(45904);
        request.mutable_expect_compressed()->set_value(false);
        expect(writer->Write(request, grpc::WriteOptions().set_no_compression()), "the call ended early");
        writer->WritesDone();
        expect_code(writer->Finish(), StatusCode::OK);
        expect(response.aggregated_payload_size() == 73086, "another sum of payloads");
    }
    void server_streaming() {
        StreamingOutputCallRequest request;
        for (const int bytes : response_bytes)
            request.add_response_parameters()->set_size(bytes);
        ClientContext context;
        const auto reader = stub_->StreamingOutputCall(&context, request);
        StreamingOutputCallResponse response;
        for (const int bytes : response_bytes) {
            expect(reader->Read(&response), "fewer responses than requested");
            expect_zeros(response.payload().body(), bytes);
        }
        expect(!reader->Read(&response), "more responses than requested");
        expect_code(reader->Finish(), StatusCode::OK);
    }
    void server_compressed_streaming() {
        const std::array expected{std::pair(true, 31415), std::pair(false, 92653)};
        StreamingOutputCallRequest request;
        for (const auto& [is_compressed, bytes] : expected) {
            request.add_response_parameters()->set_size(bytes);
            request.mutable_response_parameters()->rbegin()->mutable_compressed()->set_value(is_compressed);
        }
        ClientContext context;
        const auto reader = stub_->StreamingOutputCall(&context, request);
        StreamingOutputCallResponse response;
        for (const auto& [is_compressed, bytes] : expected) {
            expect(reader->Read(&response), "fewer responses than requested");
            expect_zeros(response.payload().body(), bytes);
            expect(InteropClientContextInspector::was_compressed(context) == is_compressed,
                   "compressed otherwise");
        }
        expect(!reader->Read(&response), "more responses than requested");
        expect_code(reader->Finish(), StatusCode::OK);
    }
    void ping_pong() {
        ClientContext context;
        const auto stream = stub_->FullDuplexCall(&context);
        for (std::size_t i = 0; i < request_bytes.size(); ++i)
            exchange(*stream, request_bytes[i], response_bytes[i]);
        expect_end(*stream);
    }
    void empty_stream() {
        ClientContext context;
        expect_end(*stub_->FullDuplexCall(&context));
    }
    void half_duplex() {
        ClientContext context;
        const auto stream = stub_->HalfDuplexCall(&context);
        for (const int bytes : response_bytes) {
            StreamingOutputCallRequest request;
            request.add_response_parameters()->set_size(bytes);
            stream->Write(request);
        }
        stream->WritesDone();
        StreamingOutputCallResponse response;
        for (const int bytes : response_bytes) {
            expect(stream->Read(&response), "fewer responses than requested");
            expect_zeros(response.payload().body(), bytes);
        }
        expect_code(stream->Finish(), StatusCode::OK);
    }
    void custom_metadata() {
        ClientContext unary;
        add_metadata(unary);
        SimpleResponse response;
        expect_code(stub_->UnaryCall(&unary, large_request(), &response), StatusCode::OK);
        expect_metadata(unary);
        ClientContext duplex;
        add_metadata(duplex);
        const auto stream = stub_->FullDuplexCall(&duplex);
        exchange(*stream, 271828, 314159);
        expect_end(*stream);
        expect_metadata(duplex);
    }
    void status_code_and_message() {
        expect_echo("test status message");
        ClientContext context;
        const auto stream = stub_->FullDuplexCall(&context);
        StreamingOutputCallRequest request;
        request.mutable_response_status()->set_code(StatusCode::UNKNOWN);
        request.mutable_response_status()->set_message("test status message");
        stream->Write(request);
        stream->WritesDone();
        StreamingOutputCallResponse response;
        expect(!stream->Read(&response), "a response");
        expect_status(stream->Finish(), "test status message");
    }
    void special_status_message() {
        expect_echo("\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \U0001f608\t\n");
    }
    void unimplemented_method() {
        ClientContext context;
        Empty response;
        expect_code(stub_->UnimplementedCall(&context, Empty(), &response), StatusCode::UNIMPLEMENTED);
    }
    void unimplemented_service() {
        ClientContext context;
        Empty response;
        expect_code(absent_->UnimplementedCall(&context, Empty(), &response), StatusCode::UNIMPLEMENTED);
    }
    void cancel_after_begin() {
        ClientContext context;
        StreamingInputCallResponse response;
        const auto writer = stub_->StreamingInputCall(&context, &response);
        context.TryCancel();
        expect_code(writer->Finish(), StatusCode::CANCELLED);
    }
    void cancel_after_first_response() {
        ClientContext context;
        const auto stream = stub_->FullDuplexCall(&context);
        exchange(*stream, request_bytes[0], response_bytes[0]);
        context.TryCancel();
        expect_code(stream->Finish(), StatusCode::CANCELLED);
    }
    void timeout_on_sleeping_server() {
        ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(1));
        const auto stream = stub_->FullDuplexCall(&context);
        stream->Write(with_payload<StreamingOutputCallRequest>(27182));
        StreamingOutputCallResponse response;
        stream->Read(&response);
        expect_code(stream->Finish(), StatusCode::DEADLINE_EXCEEDED);
    }

private:
    using duplex = grpc::ClientReaderWriter<StreamingOutputCallRequest, StreamingOutputCallResponse>;

    static SimpleRequest large_request() {
        auto request = with_payload<SimpleRequest>(271828);
        request.set_response_size(314159);
        return request;
    }
    void expect_large(const SimpleRequest& request, grpc_compression_algorithm way = GRPC_COMPRESS_NONE) {
        ClientContext context;
        context.set_compression_algorithm(way);
        SimpleResponse response;
        expect_code(stub_->UnaryCall(&context, request, &response), StatusCode::OK);
        expect_zeros(response.payload().body(), 314159);
    }
    static void exchange(duplex& stream, int sent, int received) {
        auto request = with_payload<StreamingOutputCallRequest>(sent);
        request.add_response_parameters()->set_size(received);
        expect(stream.Write(request), "the call ended early");
        StreamingOutputCallResponse response;
        expect(stream.Read(&response), "fewer responses than requested");
        expect_zeros(response.payload().body(), received);
    }
    static void expect_end(duplex& stream) {
        stream.WritesDone();
        StreamingOutputCallResponse response;
        expect(!stream.Read(&response), "more responses than requested");
        expect_code(stream.Finish(), StatusCode::OK);
    }
    static void add_metadata(ClientContext& context) {
        context.AddMetadata("x-grpc-test-echo-initial", "test_initial_metadata_value");
        context.AddMetadata("x-grpc-test-echo-trailing-bin", "\xab\xab\xab");
    }
    static void expect_metadata(const ClientContext& context) {
        const auto initial = context.GetServerInitialMetadata().find("x-grpc-test-echo-initial");
        expect(initial != context.GetServerInitialMetadata().end() &&
                   initial->second == "test_initial_metadata_value",
               "the initial metadata did not come back");
        const auto trailing = context.GetServerTrailingMetadata().find("x-grpc-test-echo-trailing-bin");
        expect(trailing != context.GetServerTrailingMetadata().end() && trailing->second == "\xab\xab\xab",
               "the trailing metadata did not come back");
    }
    static void expect_status(const Status& status, const std::string& message) {
        expect_code(status, StatusCode::UNKNOWN);
        expect(status.error_message() == message, "another message: " + status.error_message());
    }
    void expect_echo(const std::string& message) {
        SimpleRequest request;
        request.mutable_response_status()->set_code(StatusCode::UNKNOWN);
        request.mutable_response_status()->set_message(message);
        ClientContext context;
        SimpleResponse response;
        expect_status(stub_->UnaryCall(&context, request, &response), message);
    }

    std::unique_ptr<TestService::Stub> stub_;
    std::unique_ptr<UnimplementedService::Stub> absent_;
};

const std::map<std::string, void (client::*)()> cases{
    {"empty_unary", &client::empty_unary},
    {"cacheable_unary", &client::cacheable_unary},
    {"large_unary", &client::large_unary},
    {"client_compressed_unary", &client::client_compressed_unary},
    {"server_compressed_unary", &client::server_compressed_unary},
    {"client_streaming", &client::client_streaming},
    {"client_compressed_streaming", &client::client_compressed_streaming},
    {"server_streaming", &client::server_streaming},
    {"server_compressed_streaming", &client::server_compressed_streaming},
    {"ping_pong", &client::ping_pong},
    {"empty_stream", &client::empty_stream},
    {"half_duplex", &client::half_duplex},
    {"custom_metadata", &client::custom_metadata},
    {"status_code_and_message", &client::status_code_and_message},
    {"special_status_message", &client::special_status_message},
    {"unimplemented_method", &client::unimplemented_method},
    {"unimplemented_service", &client::unimplemented_service},
    {"cancel_after_begin", &client::cancel_after_begin},
    {"cancel_after_first_response", &client::cancel_after_first_response},
    {"timeout_on_sleeping_server", &client::timeout_on_sleeping_server},
};

}  // namespace

void run_case(const std::string& name, const std::shared_ptr<grpc::Channel>& channel) {
    const auto found = cases.find(name);
    expect(found != cases.end(), "no such case");
    client made(channel);
    (made.*found->second)();
}

}  // namespace interop
