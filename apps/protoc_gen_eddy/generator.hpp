#pragma once

#include <cstdint>
#include <google/protobuf/compiler/code_generator.h>
#include <string>

namespace eddy::protoc_gen {

/// Writes `x.eddy.hpp` and `x.eddy.cpp` for `x.proto`, of which protobuf's own generator writes the messages. A file
/// without services gets both too, so that a build knows their names from the .proto's.
class generator : public google::protobuf::compiler::CodeGenerator {
public:
    bool Generate(const google::protobuf::FileDescriptor* file, const std::string& parameter,
                  google::protobuf::compiler::GeneratorContext* context, std::string* error) const override;
    uint64_t GetSupportedFeatures() const override { return FEATURE_PROTO3_OPTIONAL; }
};

}  // namespace eddy::protoc_gen
