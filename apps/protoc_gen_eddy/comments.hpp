#pragma once

#include <google/protobuf/descriptor.h>
#include <string>
#include <vector>

namespace eddy::protoc_gen {

/// The comment that stands above a declaration of a .proto, or behind it, as lines of a `///` comment without slashes
/// and line ends. Empty where there is none. No line ends with a backslash, which would continue the comment.
std::vector<std::string> comment_of(const google::protobuf::ServiceDescriptor& service);
std::vector<std::string> comment_of(const google::protobuf::MethodDescriptor& method);

}  // namespace eddy::protoc_gen
