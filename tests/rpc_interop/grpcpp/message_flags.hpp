#pragma once

#include <cstdint>
#include <grpc/grpc.h>
#include <grpc/impl/codegen/grpc_types.h>
#include <grpcpp/client_context.h>
#include <grpcpp/server_context.h>

// Exported by libgrpc for tests such as these; no header that is installed declares it.
std::uint32_t grpc_call_test_only_get_message_flags(grpc_call* call);

namespace grpc::testing {

inline bool was_compressed(grpc_call* call) {
    constexpr std::uint32_t is_compressed = 0x40000000U;  // GRPC_WRITE_INTERNAL_TEST_ONLY_WAS_COMPRESSED
    return (grpc_call_test_only_get_message_flags(call) & is_compressed) != 0;
}

/// The names are those of friends of the contexts: they see the calls in them.
class InteropServerContextInspector {
public:
    static bool was_compressed(const ServerContext& context) {
        return testing::was_compressed(context.call_.call);
    }
};

class InteropClientContextInspector {
public:
    static bool was_compressed(const ClientContext& context) {
        return testing::was_compressed(context.call_);
    }
};

}  // namespace grpc::testing
