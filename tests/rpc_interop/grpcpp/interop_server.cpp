// TestService by libgrpc++, after gRPC's description of the interoperability tests.
#include "interop_server.hpp"

#include "message_flags.hpp"
#include "test_service.grpc.pb.h"

#include <cstdio>
#include <grpcpp/grpcpp.h>
#include <grpcpp/server_builder.h>
#include <memory>
#include <stdexcept>
#include <string>

namespace interop {
namespace {

using namespace grpc::testing;
using grpc::ServerContext;
using grpc::Status;

void echo_metadata(ServerContext& context) {
    const auto& metadata = context.client_metadata();
    const auto text = [](grpc::string_ref value) { return std::string(value.data(), value.size()); };
    if (const auto found = metadata.find("x-grpc-test-echo-initial"); found != metadata.end())
        context.AddInitialMetadata("x-grpc-test-echo-initial", text(found->second));
    if (const auto found = metadata.find("x-grpc-test-echo-trailing-bin"); found != metadata.end())
        context.AddTrailingMetadata("x-grpc-test-echo-trailing-bin", text(found->second));
}

template <class Request>
Status check_compression(const ServerContext& context, const Request& request) {
    if (request.has_expect_compressed() &&
        request.expect_compressed().value() != InteropServerContextInspector::was_compressed(context))
        return {grpc::StatusCode::INVALID_ARGUMENT, "compressed otherwise than the request says"};
    return Status::OK;
}

template <class Request>
Status status_of(const Request& request) {
    const auto& wanted = request.response_status();
    return {static_cast<grpc::StatusCode>(wanted.code()), wanted.message()};
}

template <class Response>
void fill(Response& response, int bytes) {
    response.mutable_payload()->set_body(std::string(static_cast<std::size_t>(bytes), '\0'));
}

template <class Writer>
void write_responses(Writer& writer, const StreamingOutputCallRequest& request) {
    for (const auto& parameters : request.response_parameters()) {
        StreamingOutputCallResponse response;
        fill(response, parameters.size());
        grpc::WriteOptions options;
        if (!parameters.compressed().value())
            options.set_no_compression();
        writer.Write(response, options);
    }
}

class service final : public TestService::Service {
public:
    Status EmptyCall(ServerContext* context, const Empty*, Empty*) override {
        echo_metadata(*context);
        return Status::OK;
    }
    Status UnaryCall(ServerContext* context, const SimpleRequest* request,
                     SimpleResponse* response) override {
        echo_metadata(*context);
        if (auto status = check_compression(*context, *request); !status.ok())
            return status;
        if (request->response_compressed().value())
            context->set_compression_level(GRPC_COMPRESS_LEVEL_HIGH);
        fill(*response, request->response_size());
        return status_of(*request);
    }
    Status CacheableUnaryCall(ServerContext* context, const SimpleRequest*,
                              SimpleResponse* response) override {
        context->AddInitialMetadata("cache-control", "max-age=60, public");
        response->mutable_payload()->set_body("now");
        return Status::OK;
    }
    Status StreamingOutputCall(ServerContext* context, const StreamingOutputCallRequest* request,
                               grpc::ServerWriter<StreamingOutputCallResponse>* writer) override {
        for (const auto& parameters : request->response_parameters())
            if (parameters.compressed().value())
                context->set_compression_level(GRPC_COMPRESS_LEVEL_HIGH);
        write_responses(*writer, *request);
        return status_of(*request);
    }
    Status StreamingInputCall(ServerContext* context, grpc::ServerReader<StreamingInputCallRequest>* reader,
                              StreamingInputCallResponse* response) override {
        StreamingInputCallRequest request;
        int sum = 0;
        while (reader->Read(&request)) {
            if (auto status = check_compression(*context, request); !status.ok())
                return status;
            sum += static_cast<int>(request.payload().body().size());
        }
        response->set_aggregated_payload_size(sum);
        return Status::OK;
    }
    Status FullDuplexCall(
        ServerContext* context,
        grpc::ServerReaderWriter<StreamingOutputCallResponse, StreamingOutputCallRequest>* stream) override {
        echo_metadata(*context);
        StreamingOutputCallRequest request;
        while (stream->Read(&request)) {
            if (request.has_response_status())
                return status_of(request);
            write_responses(*stream, request);
        }
        return Status::OK;
    }
};

/// The same by callbacks in place of blocked threads: what is measured beside ours.
class callback_service final : public TestService::CallbackService {
public:
    grpc::ServerUnaryReactor* UnaryCall(grpc::CallbackServerContext* context, const SimpleRequest* request,
                                        SimpleResponse* response) override {
        fill(*response, request->response_size());
        auto* reactor = context->DefaultReactor();
        reactor->Finish(Status::OK);
        return reactor;
    }
};

std::shared_ptr<grpc::ServerCredentials> credentials_of(const server_arguments& given) {
    if (given.certificate.empty())
        return grpc::InsecureServerCredentials();
    grpc::SslServerCredentialsOptions options;
    options.pem_key_cert_pairs.push_back({given.key, given.certificate});
    return grpc::SslServerCredentials(options);
}

}  // namespace

void serve(const server_arguments& given) {
    service methods;
    callback_service callbacks;
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:" + std::to_string(given.port), credentials_of(given), &port);
    if (given.uses_callbacks)
        builder.RegisterService(&callbacks);
    else
        builder.RegisterService(&methods);
    const auto server = builder.BuildAndStart();
    if (!server)
        throw std::runtime_error("cannot listen");
    std::printf("listening on 127.0.0.1:%d\n", port);
    std::fflush(stdout);
    server->Wait();
}

}  // namespace interop
