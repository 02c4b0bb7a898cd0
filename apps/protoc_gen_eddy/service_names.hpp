#pragma once

#include <google/protobuf/descriptor.h>
#include <string>
#include <vector>

namespace eddy::protoc_gen {

/// What a service and its methods are called in C++.
struct service_names {
    explicit service_names(const google::protobuf::ServiceDescriptor& service);

    std::string client_class;
    std::string service_class;
    std::vector<std::string> methods;  // in the order of the .proto
};

/// Says which two names of a file become one in C++. Empty where all differ.
std::string find_clash(const google::protobuf::FileDescriptor& file);

}  // namespace eddy::protoc_gen
