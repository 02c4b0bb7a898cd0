// Makes the calls that the suite asks for on standard input, one behind the other, and says on standard output how they
// went, until its input ends.

#include "connectrpc/conformance/v1/client_compat.pb.h"
#include "connectrpc/conformance/v1/service.eddy.hpp"
#include "exchange.hpp"

#include <eddy/eddy.hpp>
#include <eddy/rpc.hpp>
#include <eddy/tls/tls_context.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::conformance {
namespace {

using std::chrono::milliseconds;

constexpr int all_responses = std::numeric_limits<int>::max();
constexpr std::chrono::seconds call_time_max(30);

rpc::channel channel_to(const proto::ClientCompatRequest& wanted) {
    rpc::channel_options options;
    if (!wanted.server_tls_cert().empty()) {
        tls_client_options tls;
        tls.alpn({"h2"}).trust(tls_trust().pem(wanted.server_tls_cert()));
        if (wanted.has_client_tls_creds())
            tls.certificate(
                tls_certificate::pem(wanted.client_tls_creds().cert(), wanted.client_tls_creds().key()));
        options.tls(tls_context(tls));
    }
    if (wanted.codec() == proto::CODEC_JSON)
        options.subtype("json");
    if (wanted.compression() == proto::COMPRESSION_GZIP)
        options.compression(rpc::compression::gzip);
    if (wanted.message_receive_limit() != 0)
        options.receive_bytes_max(wanted.message_receive_limit());
    return rpc::channel(wanted.host() + ":" + std::to_string(wanted.port()), options);
}

rpc::call_options options_of(const proto::ClientCompatRequest& wanted, rpc::call_info& info) {
    rpc::call_options options;
    options.info(&info);
    if (wanted.has_timeout_ms())
        options.timeout(milliseconds(wanted.timeout_ms()));
    for_each_header(wanted.request_headers(), [&options](const std::string& name, const std::string& value) {
        options.metadata(name, value);
    });
    return options;
}

template <class Message>
Message unpacked(const google::protobuf::Any& packed) {
    Message message;
    if (!packed.UnpackTo(&message))
        throw std::runtime_error("a request of another type: " + packed.type_url());
    return message;
}

/// One call, and what is said of it.
class conformance_call {
public:
    explicit conformance_call(const proto::ClientCompatRequest& wanted)
        : wanted_(wanted),
          channel_(channel_to(wanted)),
          client_(channel_),
          options_(options_of(wanted, info_)) {}

    [[nodiscard]] task<proto::ClientResponseResult> make() {
        try {
            co_await make_by_method();
        } catch (const rpc::error& error) {
            fail(error.status());
        }
        if (was_cancelled_)
            fail(rpc::status(rpc::status_code::cancelled, "cancelled"));
        if (!has_metadata_)
            put_both(info_.initial_metadata(), info_.trailing_metadata());
        co_return std::move(result_);
    }

private:
    task<> make_by_method() {
        const std::string& method = wanted_.method();
        if (method == "Unary")
            co_await call_once<proto::UnaryRequest>(&proto::conformance_service_client::unary);
        else if (method == "IdempotentUnary")
            co_await call_once<proto::IdempotentUnaryRequest>(
                &proto::conformance_service_client::idempotent_unary);
        else if (method == "Unimplemented")
            static_cast<void>(co_await client_.unimplemented({}, options_));
        else if (method == "ServerStream")
            co_await call_server_stream();
        else if (method == "ClientStream")
            co_await call_client_stream();
        else if (method == "BidiStream")
            co_await call_both_ways();
        else
            throw std::runtime_error("no method " + method);
    }

    /// Drops what is done where the call is to be cancelled a while after the last request.
    task<> until_cancelled(task<> rest) {
        if (!wanted_.has_cancel() || wanted_.cancel().has_after_num_responses())
            co_return co_await std::move(rest);
        try {
            co_await with_timeout(std::move(rest), milliseconds(wanted_.cancel().after_close_send_ms()));
        } catch (const std::system_error& error) {
            if (error.code() != std::errc::timed_out)
                throw;
            was_cancelled_ = true;
        }
    }

    [[nodiscard]] bool is_cancelled_before_the_end() const {
        return wanted_.cancel().has_before_close_send();
    }
    [[nodiscard]] int responses_max() const {
        return wanted_.cancel().has_after_num_responses()
                   ? static_cast<int>(wanted_.cancel().after_num_responses())
                   : all_responses;
    }
    [[nodiscard]] task<> wait_before_request() const {
        if (wanted_.request_delay_ms() != 0)
            co_await sleep_for(milliseconds(wanted_.request_delay_ms()));
    }

    template <class Request, class Response>
    task<> call_once(task<Response> (proto::conformance_service_client::*method)(const Request&,
                                                                                 rpc::call_options) const) {
        const auto request = unpacked<Request>(wanted_.request_messages(0));
        co_await wait_before_request();
        const auto call = [&]() -> task<> {
            take((co_await (client_.*method)(request, options_)).payload());
        };
        co_await until_cancelled(call());
    }

    task<> call_server_stream() {
        const auto request = unpacked<proto::ServerStreamRequest>(wanted_.request_messages(0));
        co_await wait_before_request();
        auto responses = client_.server_stream(request, options_);
        const auto read = [&]() -> task<> {
            while (auto response = co_await responses.next())
                if (take(response->payload()))
                    break;
        };
        co_await until_cancelled(read());
    }

    task<> call_client_stream() {
        auto call = client_.client_stream(options_);
        for (const auto& request : wanted_.request_messages()) {
            co_await wait_before_request();
            const bool was_sent = co_await call.write(unpacked<proto::ClientStreamRequest>(request));
            if (!was_sent)
                break;
            ++sent_;
        }
        was_cancelled_ = is_cancelled_before_the_end();
        const auto finish = [&]() -> task<> { take((co_await call.finish()).payload()); };
        if (!was_cancelled_)
            co_await ended(until_cancelled(finish()));
        put_both(call.initial_metadata(), call.trailing_metadata());
    }

    task<> call_both_ways() {
        auto call = client_.bidi_stream(options_);
        bool is_over = false;
        const auto read = [&]() -> task<> {
            auto response = co_await call.read();
            is_over = !response || take(response->payload());
        };
        const auto read_all = [&]() -> task<> {
            while (!is_over)
                co_await read();
        };
        const auto converse = [&]() -> task<> {
            for (const auto& request : wanted_.request_messages()) {
                co_await wait_before_request();
                const bool was_sent = co_await call.write(unpacked<proto::BidiStreamRequest>(request));
                if (!was_sent)
                    break;
                ++sent_;
                if (wanted_.stream_type() == proto::STREAM_TYPE_FULL_DUPLEX_BIDI_STREAM)
                    co_await read();
                if (is_over)
                    co_return;
            }
            was_cancelled_ = is_cancelled_before_the_end();
            if (was_cancelled_)
                co_return;
            co_await call.finish_writing();
            co_await until_cancelled(read_all());
        };
        co_await ended(converse());
        put_both(call.initial_metadata(), call.trailing_metadata());
    }

    /// How a call that streams has ended, whose metadata are still to be read.
    task<> ended(task<> call) {
        try {
            co_await std::move(call);
        } catch (const rpc::error& error) {
            fail(error.status());
        }
        result_.set_num_unsent_requests(wanted_.request_messages_size() - sent_);
    }

    /// Whether the call is to be cancelled now.
    bool take(const proto::ConformancePayload& payload) {
        *result_.add_payloads() = payload;
        was_cancelled_ = result_.payloads_size() == responses_max();
        return was_cancelled_;
    }
    void fail(const rpc::status& end) { *result_.mutable_error() = error_from(end); }
    void put_both(const rpc::metadata& initial, const rpc::metadata& trailing) {
        put_metadata(*result_.mutable_response_headers(), initial);
        put_metadata(*result_.mutable_response_trailers(), trailing);
        has_metadata_ = true;
    }

    const proto::ClientCompatRequest& wanted_;
    rpc::channel channel_;
    proto::conformance_service_client client_;
    rpc::call_info info_;
    rpc::call_options options_;
    proto::ClientResponseResult result_;
    int sent_ = 0;
    bool was_cancelled_ = false;
    bool has_metadata_ = false;
};

task<> make_calls() {
    proto::ClientCompatRequest wanted;
    while (read_message(wanted)) {
        proto::ClientCompatResponse said;
        said.set_test_name(wanted.test_name());
        try {
            conformance_call call(wanted);
            *said.mutable_response() = co_await with_timeout(call.make(), call_time_max);
        } catch (const std::exception& error) {
            said.mutable_error()->set_message(error.what());
        }
        write_message(said);
    }
}

}  // namespace
}  // namespace eddy::conformance

int main() {
    try {
        eddy::run(eddy::conformance::make_calls());
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "conformance_client: %s\n", error.what());
        return 1;
    }
}
