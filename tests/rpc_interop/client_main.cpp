// eddy-grpc-interop-client: runs one of gRPC's interoperability test cases against a server of any implementation.
//
//     eddy-grpc-interop-client --host 127.0.0.1 --port 10000 --case large_unary [--tls [--ca-file FILE]
//                              [--server-name NAME]]
//
// Ends with 0 if everything was as the case demands, with 1 and a line on the standard error if not, and with 2 for a
// case that it does not have; --list prints those that it has.

#include "client_cases.hpp"

#include <eddy/eddy.hpp>
#include <eddy/rpc.hpp>
#include <eddy/tls/tls_context.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

namespace {

using namespace std::chrono_literals;
namespace rpc = eddy::rpc;

constexpr auto case_time = 30s;

struct arguments {
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;
    std::string test_case;
    std::string ca_file;
    std::string server_name;
    bool uses_tls = false;
};

rpc::channel_options options_of(const arguments& given) {
    rpc::channel_options options;
    if (!given.uses_tls)
        return options;
    eddy::tls_client_options tls;
    if (!given.ca_file.empty())
        tls.trust(eddy::tls_trust().file(given.ca_file));
    options.tls(eddy::tls_context(std::move(tls.alpn({"h2"}))));
    if (!given.server_name.empty())
        options.authority(given.server_name);
    return options;
}

std::string target_of(const arguments& given) {
    const std::string host = given.host.contains(':') ? "[" + given.host + "]" : given.host;
    return (given.uses_tls ? "https://" : "http://") + host + ":" + std::to_string(given.port);
}

eddy::task<> run(const arguments& given, const eddy::interop::client_case& chosen) {
    rpc::channel server(target_of(given), options_of(given));
    co_await eddy::with_timeout(chosen.run(server), case_time);
}

int list_cases() {
    for (const auto& known : eddy::interop::client_cases())
        std::printf("%.*s\n", static_cast<int>(known.name.size()), known.name.data());
    return 0;
}

}  // namespace

int main(int count, char** values) {
    arguments given;
    bool lists = false;
    CLI::App options("Runs an interoperability test case of gRPC", "eddy-grpc-interop-client");
    options.add_option("--host", given.host, "the server's name or address")->capture_default_str();
    options.add_option("--port", given.port, "its port");
    options.add_option("--case", given.test_case, "the test case");
    options.add_flag("--tls", given.uses_tls, "connects by TLS");
    options.add_option("--ca-file", given.ca_file,
                       "PEM file of the authorities to trust; the system's by default");
    options.add_option("--server-name", given.server_name,
                       "the name to call the server by, in place of --host");
    options.add_flag("--list", lists, "prints the test cases");
    CLI11_PARSE(options, count, values);
    if (lists)
        return list_cases();
    const auto cases = eddy::interop::client_cases();
    const auto chosen = std::ranges::find(cases, given.test_case, &eddy::interop::client_case::name);
    if (chosen == cases.end()) {
        std::fprintf(stderr, "eddy-grpc-interop-client: there is no case \"%s\"\n", given.test_case.c_str());
        return 2;
    }
    try {
        eddy::run(run(given, *chosen));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "eddy-grpc-interop-client: %s: %s\n", given.test_case.c_str(), error.what());
        return 1;
    }
}
