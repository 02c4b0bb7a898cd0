// protoc-gen-eddy: the part of protoc that makes eddy's clients and services of a .proto's services.
//
//     protoc --cpp_out=OUT --eddy_out=OUT --plugin=protoc-gen-eddy route_guide.proto
//
// makes route_guide.pb.h and route_guide.pb.cc (protobuf's own) and route_guide.eddy.hpp and route_guide.eddy.cpp. In
// CMake eddy_protobuf() calls it.

#include "protoc_gen_eddy/generator.hpp"

#include <google/protobuf/compiler/plugin.h>

int main(int count, char** arguments) {
    const eddy::protoc_gen::generator generator;
    return google::protobuf::compiler::PluginMain(count, arguments, &generator);
}
