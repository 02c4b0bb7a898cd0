#include "driver/peer.hpp"

#include "driver/errors.hpp"
#include "driver/nginx.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

using arguments = std::vector<std::string>;

arguments program_at_port(const server_place& place, const std::string& program, const arguments& more) {
    arguments result{place.programs / program, "--port", std::to_string(place.port)};
    result.insert(result.end(), more.begin(), more.end());
    return result;
}

// A peer with programs of its own, bench/peers/NAME/{echo,http}.cpp.
peer own_programs(const std::string& name, const std::string& about) {
    const auto echo = [name](const server_place& place) {
        return program_at_port(place, "eddy-bench-echo-" + name, {});
    };
    const auto http = [name](const server_place& place) {
        return program_at_port(place, "eddy-bench-http-" + name, {"--root", place.root});
    };
    return {name, about, {{service::echo, echo}, {service::http_hello, http}, {service::http_file, http}}};
}

// The programs that users get, but for /hello, which eddy-httpd has no resource for.
peer eddy_programs(const std::string& name, const std::string& backend) {
    const arguments one_worker{"--workers", "1", "--backend", backend};
    const auto echo = [=](const server_place& place) {
        return program_at_port(place, "eddy-echo", one_worker);
    };
    const auto hello = [=](const server_place& place) {
        return program_at_port(place, "eddy-bench-http-eddy", one_worker);
    };
    const auto files = [=](const server_place& place) {
        arguments more = one_worker;
        more.insert(more.end(), {"--root", place.root});
        return program_at_port(place, "eddy-httpd", more);
    };
    return {name,
            "eddy's own programs on " + backend,
            {{service::echo, echo}, {service::http_hello, hello}, {service::http_file, files}}};
}

peer nginx_peer(const std::string& name, const std::string& about, bool caches_open_files) {
    const auto command = [=](const server_place& place) { return nginx_arguments(place, caches_open_files); };
    return {name, about, {{service::http_hello, command}, {service::http_file, command}}};
}

}  // namespace

const std::vector<peer>& all_peers() {
    static const std::vector<peer> peers{
        own_programs("raw_io_uring", "hand-written loop on io_uring, HTTP not parsed, file in memory"),
        own_programs("raw_epoll", "hand-written loop on epoll, HTTP not parsed, file in memory"),
        own_programs("asio_callbacks", "Boost.Asio with handlers, HTTP not parsed, file in memory"),
        own_programs("asio_coroutines", "Boost.Asio with its coroutines, HTTP not parsed, file in memory"),
        eddy_programs("eddy", "io_uring"),
        eddy_programs("eddy_epoll", "epoll"),
        nginx_peer("nginx", "nginx with one worker process", false),
        nginx_peer("nginx_ofc", "nginx with one worker process and open_file_cache", true),
    };
    return peers;
}

const peer& find_peer(const std::string& name) {
    const auto found = std::ranges::find(all_peers(), name, &peer::name);
    if (found == all_peers().end())
        throw usage_error(fmt::format("there is no peer '{}'; --list shows what there is", name));
    return *found;
}

const server_command* find_command(const peer& p, service s) {
    const auto found = std::ranges::find(p.commands, s, &server_command::service);
    return found == p.commands.end() ? nullptr : &*found;
}

}  // namespace bench
