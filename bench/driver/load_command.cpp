#include "driver/load_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bench {
namespace {

using arguments = std::vector<std::string>;

arguments get(const std::string& mode, const std::string& path, const server_place& place) {
    return {"--mode", mode, "--path", path, "--expect-body", place.root / path.substr(1)};
}

arguments sized(const std::string& mode, const std::string& path, const payload& p) {
    return {"--mode", mode, "--path", path, "--size", std::to_string(p.size)};
}

arguments what_to_send(const payload& p, const server_place& place) {
    switch (p.service) {
        case service::echo:
            return sized("echo", "/", p);
        case service::http_small:
            return get("http", "/hello", place);
        case service::http_file:
            return get("http", "/1k.bin", place);
        case service::http_big_file:
            return get("http", "/1m.bin", place);
        case service::http_tls:
            return get("https", "/1k.bin", place);
        case service::handshake_ecdsa:
        case service::handshake_rsa:
            return {"--mode", "handshake"};
        case service::http_post:
            return sized("post", "/length", p);
        case service::ws_echo:
            return sized("websocket", "/echo", p);
        case service::memcached_get:
            return sized("memcached_get", "/", p);
        case service::memcached_set:
            return sized("memcached_set", "/", p);
        case service::memcached_pipelined:
            return sized("memcached_pipelined", "/", p);
        case service::memcached_pairs:
            return sized("memcached_pairs", "/", p);
    }
    return {};
}

}  // namespace

std::vector<std::string> load_arguments(const configuration& c, const measurement_settings& settings,
                                        const server_place& place, const std::vector<pid_t>& server) {
    arguments result{settings.programs / "eddy-bench-load",
                     "--port",
                     std::to_string(place.port),
                     "--connections",
                     std::to_string(c.connections),
                     "--seconds",
                     std::to_string(settings.seconds),
                     "--warmup",
                     std::to_string(settings.warmup_seconds),
                     "--cpu-of",
                     fmt::format("{}", fmt::join(server, ","))};
    if (settings.requests_each)
        result.insert(result.end(), {"--requests", std::to_string(settings.requests_each)});
    const arguments more = what_to_send(c.payload, place);
    result.insert(result.end(), more.begin(), more.end());
    return result;
}

std::string first_request(service s) {
    switch (s) {
        case service::echo:
            return "?";
        case service::http_tls:
        case service::handshake_ecdsa:
        case service::handshake_rsa:
            return "No TLS, but something to answer.\r\n\r\n";
        case service::memcached_get:
        case service::memcached_set:
        case service::memcached_pipelined:
        case service::memcached_pairs:
            return "version\r\n";
        case service::http_post:
            return "POST /length HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n\r\n?";
        default:
            return "GET /hello HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    }
}

}  // namespace bench
