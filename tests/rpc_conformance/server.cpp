// Serves connectrpc.conformance.v1.ConformanceService, whose .proto says what each method does. The suite says on standard
// input how, and is told the port on standard output. Ends when it is sent SIGTERM.

#include "connectrpc/conformance/v1/server_compat.pb.h"
#include "connectrpc/conformance/v1/service.eddy.hpp"
#include "exchange.hpp"

#include <eddy/eddy.hpp>
#include <eddy/http/server.hpp>
#include <eddy/rpc.hpp>
#include <eddy/tls/tls_context.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

namespace eddy::conformance {
namespace {

using seen_requests = google::protobuf::RepeatedPtrField<google::protobuf::Any>;

template <class Definition>
void add_metadata(rpc::server_call& call, const Definition& wanted) {
    for_each_header(wanted.response_headers(), [&call](const std::string& name, const std::string& value) {
        call.add_initial_metadata(name, value);
    });
    for_each_header(wanted.response_trailers(), [&call](const std::string& name, const std::string& value) {
        call.add_trailing_metadata(name, value);
    });
}

proto::ConformancePayload::RequestInfo info_of(const rpc::server_call& call, const seen_requests& requests) {
    proto::ConformancePayload::RequestInfo info;
    put_metadata(*info.mutable_request_headers(), call.request_metadata());
    if (const auto deadline = call.deadline()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - clock::now());
        info.set_timeout_ms(std::max<std::int64_t>(left.count(), 0));
    }
    *info.mutable_requests() = requests;
    return info;
}

template <class Definition>
[[nodiscard]] task<> delay(const Definition& wanted) {
    if (wanted.response_delay_ms() != 0)
        co_await sleep_for(std::chrono::milliseconds(wanted.response_delay_ms()));
}

/// Without a response before it an error carries what was seen of the request.
[[noreturn]] void fail(proto::Error error, const rpc::server_call& call, const seen_requests* requests) {
    if (requests != nullptr)
        error.add_details()->PackFrom(info_of(call, *requests));
    throw rpc::error(status_from(error));
}

/// The payload of a method with one response.
task<proto::ConformancePayload> only_payload(rpc::server_call& call, proto::UnaryResponseDefinition wanted,
                                             seen_requests requests) {
    add_metadata(call, wanted);
    co_await delay(wanted);
    if (wanted.has_error())
        fail(wanted.error(), call, &requests);
    proto::ConformancePayload payload;
    payload.set_data(wanted.response_data());
    *payload.mutable_request_info() = info_of(call, requests);
    co_return payload;
}

template <class Response, class Request>
task<Response> only_response(rpc::server_call& call, Request request) {
    seen_requests requests;
    requests.Add()->PackFrom(request);
    Response response;
    *response.mutable_payload() =
        co_await only_payload(call, request.response_definition(), std::move(requests));
    co_return response;
}

class conformance_service final : public proto::conformance_service_service {
public:
    task<proto::UnaryResponse> unary(rpc::server_call& call, proto::UnaryRequest request) override {
        return only_response<proto::UnaryResponse>(call, std::move(request));
    }
    task<proto::IdempotentUnaryResponse> idempotent_unary(rpc::server_call& call,
                                                          proto::IdempotentUnaryRequest request) override {
        return only_response<proto::IdempotentUnaryResponse>(call, std::move(request));
    }
    task<proto::ClientStreamResponse> client_stream(
        rpc::server_call& call, rpc::reader<proto::ClientStreamRequest>& reading) override;
    async_generator<proto::ServerStreamResponse> server_stream(rpc::server_call& call,
                                                               proto::ServerStreamRequest request) override;
    async_generator<proto::BidiStreamResponse> bidi_stream(
        rpc::server_call& call, rpc::reader<proto::BidiStreamRequest>& reading) override;
};

task<proto::ClientStreamResponse> conformance_service::client_stream(
    rpc::server_call& call, rpc::reader<proto::ClientStreamRequest>& reading) {
    seen_requests requests;
    proto::UnaryResponseDefinition wanted;
    while (const auto request = co_await reading.read()) {
        if (requests.empty())
            wanted = request->response_definition();
        requests.Add()->PackFrom(*request);
    }
    proto::ClientStreamResponse response;
    *response.mutable_payload() = co_await only_payload(call, std::move(wanted), std::move(requests));
    co_return response;
}

async_generator<proto::ServerStreamResponse> conformance_service::server_stream(
    rpc::server_call& call, proto::ServerStreamRequest request) {
    const proto::StreamResponseDefinition& wanted = request.response_definition();
    seen_requests requests;
    requests.Add()->PackFrom(request);
    add_metadata(call, wanted);
    if (!wanted.response_data().empty())
        co_await call.send_initial_metadata();
    bool is_first = true;
    for (const std::string& data : wanted.response_data()) {
        proto::ServerStreamResponse response;
        response.mutable_payload()->set_data(data);
        if (std::exchange(is_first, false))
            *response.mutable_payload()->mutable_request_info() = info_of(call, requests);
        co_await delay(wanted);
        co_yield std::move(response);
    }
    if (wanted.has_error())
        fail(wanted.error(), call, is_first ? &requests : nullptr);
}

// Each response to a request at once, or all of them when the last request has come.
async_generator<proto::BidiStreamResponse> conformance_service::bidi_stream(
    rpc::server_call& call, rpc::reader<proto::BidiStreamRequest>& reading) {
    proto::StreamResponseDefinition wanted;
    seen_requests requests;
    bool is_full_duplex = false;
    bool is_first_request = true;
    int sent = 0;
    for (;;) {
        const auto request = co_await reading.read();
        if (request) {
            requests.Add()->PackFrom(*request);
            if (std::exchange(is_first_request, false)) {
                is_full_duplex = request->full_duplex();
                wanted = request->response_definition();
                add_metadata(call, wanted);
                if (is_full_duplex && !wanted.response_data().empty())
                    co_await call.send_initial_metadata();
            }
            if (!is_full_duplex)
                continue;
        }
        if (sent == wanted.response_data_size())
            break;
        proto::BidiStreamResponse response;
        response.mutable_payload()->set_data(wanted.response_data(sent));
        if (sent == 0)
            *response.mutable_payload()->mutable_request_info() = info_of(call, requests);
        else if (request)
            *response.mutable_payload()->mutable_request_info()->mutable_requests() = requests;
        co_await delay(wanted);
        co_yield std::move(response);
        ++sent;
        if (is_full_duplex)
            requests.Clear();
    }
    if (wanted.has_error())
        fail(wanted.error(), call, sent == 0 ? &requests : nullptr);
}

http::server_options options_of(const proto::ServerCompatRequest& wanted) {
    http::server_options options;
    options.protocol(rpc::http2());
    if (!wanted.use_tls())
        return options;
    tls_server_options tls(tls_certificate::pem(wanted.server_creds().cert(), wanted.server_creds().key()));
    tls.alpn({"h2", "http/1.1"});
    if (!wanted.client_tls_cert().empty())
        tls.client_certificates(tls_client_check::required, tls_trust().pem(wanted.client_tls_cert()));
    return options.tls(tls_context(tls));
}

task<> serve(proto::ServerCompatRequest wanted) {
    signal_set ending({SIGTERM, SIGINT});
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    proto::ServerCompatResponse told;
    told.set_host("127.0.0.1");
    told.set_port(listener.local_endpoint().port());
    told.set_pem_cert(wanted.server_creds().cert());

    rpc::services_options limits;
    if (wanted.message_receive_limit() != 0)
        limits.receive_bytes_max(wanted.message_receive_limit());
    conformance_service service;
    rpc::services calls(limits);
    calls.add(service);
    http::server server(std::move(listener), calls, options_of(wanted));
    write_message(told);
    co_await race(server.run(), ending.wait());
}

}  // namespace
}  // namespace eddy::conformance

int main() {
    try {
        eddy::conformance::proto::ServerCompatRequest wanted;
        if (!eddy::conformance::read_message(wanted))
            return 2;
        eddy::run(eddy::conformance::serve(std::move(wanted)));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "conformance_server: %s\n", error.what());
        return 1;
    }
}
