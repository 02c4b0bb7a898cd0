#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/rpc/detail/reflection_messages.hpp>
#include <eddy/rpc/server_call.hpp>
#include <eddy/rpc/service.hpp>
#include <eddy/rpc/services.hpp>

#include <cstdint>
#include <string>

namespace eddy::rpc {

/// Clients speak either; the messages are the same.
enum class reflection_version : std::uint8_t {
    /// grpc.reflection.v1.
    v1,
    /// grpc.reflection.v1alpha, which older tools speak.
    v1alpha,
};

/// grpc.reflection.v1.ServerReflection (gRPC's doc/server-reflection.md): shows the services that are served, and the .proto
/// files of those that are linked into the program, for tools such as grpcurl.
///
///     rpc::reflection_service v1(calls);
///     rpc::reflection_service v1alpha(calls, rpc::reflection_version::v1alpha);
///     calls.add(v1).add(v1alpha);
///
/// It belongs to a worker, like any service. A program that includes this header is linked with protobuf.
class reflection_service final : public service {
public:
    /// Does not own what it shows. Requires: that outlives this.
    explicit reflection_service(const services& shown, reflection_version version = reflection_version::v1)
        : service(version == reflection_version::v1 ? "grpc.reflection.v1.ServerReflection"
                                                    : "grpc.reflection.v1alpha.ServerReflection") {
        add_bidirectional<std::string, std::string>(
            "ServerReflectionInfo",
            [&shown](server_call&, reader<std::string>& requests) { return respond(shown, requests); });
    }

private:
    static async_generator<std::string> respond(const services& shown, reader<std::string>& requests) {
        while (const auto request = co_await requests.read())
            co_yield detail::reflection_response(*request, shown.names());
    }
};

}  // namespace eddy::rpc
