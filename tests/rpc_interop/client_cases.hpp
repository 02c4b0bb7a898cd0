#pragma once

#include <eddy/core/task.hpp>
#include <eddy/rpc/channel.hpp>

#include <span>
#include <string_view>

namespace eddy::interop {

/// One of gRPC's interoperability test cases, from the client's side. Throws with what was not as it should be.
struct client_case {
    std::string_view name;
    task<> (*run)(const rpc::channel& server);
};

std::span<const client_case> client_cases() noexcept;

}  // namespace eddy::interop
