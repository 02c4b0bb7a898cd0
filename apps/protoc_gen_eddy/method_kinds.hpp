#pragma once

#include <google/protobuf/descriptor.h>

namespace eddy::protoc_gen {

/// What is written for a method, which depends on what streams. Texts for google::protobuf::io::Printer, with these
/// variables: client_class, service_class, method, deprecated, proto_method, path, Request, Reply.
struct method_kind {
    const char* name;
    const char* client_declaration;
    const char* client_definition;
    const char* handler_declaration;
    const char* handler_definition;
    const char* registration;
};

const method_kind& kind_of(const google::protobuf::MethodDescriptor& method);

}  // namespace eddy::protoc_gen
