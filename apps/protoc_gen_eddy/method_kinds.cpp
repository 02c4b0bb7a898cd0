#include "protoc_gen_eddy/method_kinds.hpp"

#include <google/protobuf/descriptor.h>

namespace eddy::protoc_gen {
namespace {

constexpr method_kind unary{
    .name = "Unary",
    .client_declaration =
        R"(    $deprecated$::eddy::task<$Reply$> $method$(const $Request$& request, ::eddy::rpc::call_options options = {}) const;
)",
    .client_definition = R"(
::eddy::task<$Reply$> $client_class$::$method$(const $Request$& request, ::eddy::rpc::call_options options) const {
    return ::eddy::rpc::call<$Reply$>(*channel_, "$path$", request, ::std::move(options));
}
)",
    .handler_declaration =
        R"(    virtual ::eddy::task<$Reply$> $method$(::eddy::rpc::server_call& call, $Request$ request);
)",
    .handler_definition = R"(
::eddy::task<$Reply$> $service_class$::$method$(::eddy::rpc::server_call&, $Request$) {
    throw ::eddy::rpc::error(::eddy::rpc::status_code::unimplemented, "$path$ is not implemented");
    co_return $Reply$();
}
)",
    .registration =
        R"(    add_unary<$Request$, $Reply$>("$proto_method$", [this](::eddy::rpc::server_call& call, $Request$ request) {
        return this->$method$(call, ::std::move(request));
    });
)",
};

constexpr method_kind server_streaming{
    .name = "The server streams",
    .client_declaration =
        R"(    $deprecated$::eddy::async_generator<$Reply$> $method$(const $Request$& request, ::eddy::rpc::call_options options = {}) const;
)",
    .client_definition = R"(
::eddy::async_generator<$Reply$> $client_class$::$method$(const $Request$& request, ::eddy::rpc::call_options options) const {
    return ::eddy::rpc::call_streaming<$Reply$>(*channel_, "$path$", request, ::std::move(options));
}
)",
    .handler_declaration =
        R"(    virtual ::eddy::async_generator<$Reply$> $method$(::eddy::rpc::server_call& call, $Request$ request);
)",
    .handler_definition = R"(
::eddy::async_generator<$Reply$> $service_class$::$method$(::eddy::rpc::server_call&, $Request$) {
    throw ::eddy::rpc::error(::eddy::rpc::status_code::unimplemented, "$path$ is not implemented");
    co_return;
}
)",
    .registration =
        R"(    add_server_streaming<$Request$, $Reply$>("$proto_method$", [this](::eddy::rpc::server_call& call, $Request$ request) {
        return this->$method$(call, ::std::move(request));
    });
)",
};

constexpr method_kind client_streaming{
    .name = "The client streams",
    .client_declaration =
        R"(    $deprecated$::eddy::rpc::client_stream<$Request$, $Reply$> $method$(::eddy::rpc::call_options options = {}) const;
)",
    .client_definition = R"(
::eddy::rpc::client_stream<$Request$, $Reply$> $client_class$::$method$(::eddy::rpc::call_options options) const {
    return ::eddy::rpc::open_stream<$Request$, $Reply$>(*channel_, "$path$", ::std::move(options));
}
)",
    .handler_declaration =
        R"(    virtual ::eddy::task<$Reply$> $method$(::eddy::rpc::server_call& call, ::eddy::rpc::reader<$Request$>& requests);
)",
    .handler_definition = R"(
::eddy::task<$Reply$> $service_class$::$method$(::eddy::rpc::server_call&, ::eddy::rpc::reader<$Request$>&) {
    throw ::eddy::rpc::error(::eddy::rpc::status_code::unimplemented, "$path$ is not implemented");
    co_return $Reply$();
}
)",
    .registration =
        R"(    add_client_streaming<$Request$, $Reply$>("$proto_method$", [this](::eddy::rpc::server_call& call, ::eddy::rpc::reader<$Request$>& requests) {
        return this->$method$(call, requests);
    });
)",
};

constexpr method_kind bidirectional{
    .name = "Both stream",
    .client_declaration = client_streaming.client_declaration,
    .client_definition = client_streaming.client_definition,
    .handler_declaration =
        R"(    virtual ::eddy::async_generator<$Reply$> $method$(::eddy::rpc::server_call& call, ::eddy::rpc::reader<$Request$>& requests);
)",
    .handler_definition = R"(
::eddy::async_generator<$Reply$> $service_class$::$method$(::eddy::rpc::server_call&, ::eddy::rpc::reader<$Request$>&) {
    throw ::eddy::rpc::error(::eddy::rpc::status_code::unimplemented, "$path$ is not implemented");
    co_return;
}
)",
    .registration =
        R"(    add_bidirectional<$Request$, $Reply$>("$proto_method$", [this](::eddy::rpc::server_call& call, ::eddy::rpc::reader<$Request$>& requests) {
        return this->$method$(call, requests);
    });
)",
};

}  // namespace

const method_kind& kind_of(const google::protobuf::MethodDescriptor& method) {
    if (method.client_streaming())
        return method.server_streaming() ? bidirectional : client_streaming;
    return method.server_streaming() ? server_streaming : unary;
}

}  // namespace eddy::protoc_gen
