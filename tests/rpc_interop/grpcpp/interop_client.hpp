#pragma once

#include <memory>
#include <string>

namespace grpc {
class Channel;
}

namespace interop {

/// Runs one test case. Throws std::runtime_error with what was not as it should be.
void run_case(const std::string& name, const std::shared_ptr<grpc::Channel>& channel);

}  // namespace interop
