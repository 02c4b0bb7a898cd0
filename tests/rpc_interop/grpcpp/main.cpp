// TestService and its clients by libgrpc++, for tests of ours to meet.
//
//     grpcpp_peer serve|serve_callbacks PORT [CERTIFICATE KEY]
//     grpcpp_peer CASE PORT [AUTHORITY]

#include "interop_client.hpp"
#include "interop_server.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <grpcpp/grpcpp.h>
#include <iterator>
#include <memory>
#include <string>

namespace {

std::string text_of(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::shared_ptr<grpc::ChannelCredentials> credentials_of(const char* authority) {
    if (!authority)
        return grpc::InsecureChannelCredentials();
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = text_of(authority);
    return grpc::SslCredentials(options);
}

int run(int count, char** values) {
    if (count < 3)
        throw std::invalid_argument("grpcpp_peer serve|CASE PORT [PEM FILES]");
    const std::string what = values[1];
    if (what != "serve" && what != "serve_callbacks") {
        const auto credentials = credentials_of(count > 3 ? values[3] : nullptr);
        interop::run_case(what, grpc::CreateChannel(std::string("localhost:") + values[2], credentials));
        return 0;
    }
    interop::server_arguments given;
    given.port = std::stoi(values[2]);
    given.uses_callbacks = what == "serve_callbacks";
    if (count > 4) {
        given.certificate = text_of(values[3]);
        given.key = text_of(values[4]);
    }
    interop::serve(given);
    return 0;
}

}  // namespace

int main(int count, char** values) {
    try {
        return run(count, values);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "grpcpp_peer: %s\n", error.what());
        return 1;
    }
}
