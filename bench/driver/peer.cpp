#include "driver/peer.hpp"

#include "driver/certificates.hpp"
#include "driver/errors.hpp"
#include "driver/nginx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bench {
namespace {

using arguments = std::vector<std::string>;

arguments program_at_port(const server_place& place, const std::string& program, const arguments& more) {
    arguments result{place.programs / program, "--port", std::to_string(place.port)};
    result.insert(result.end(), more.begin(), more.end());
    return result;
}

// The program eddy-bench-PROGRAM-NAME of a peer with programs of its own, bench/peers/NAME/PROGRAM.cpp.
server_command own_program(service s, const std::string& program, const std::string& name,
                           const arguments& more = {}) {
    return {s, [=](const server_place& place) {
                return program_at_port(place, "eddy-bench-" + program + "-" + name, more);
            }};
}

// Tells its server how many threads to have.
server_command threaded(server_command command) {
    return {command.service, [of_one = std::move(command.arguments)](const server_place& place) {
                arguments result = of_one(place);
                result.insert(result.end(), {"--threads", std::to_string(place.threads)});
                return result;
            }};
}

peer threaded(peer p, thread_use use) {
    for (server_command& command : p.commands)
        command = threaded(std::move(command));
    p.threads = use;
    return p;
}

server_command program_with_root(service s, const std::string& program) {
    return {s, [=](const server_place& place) {
                return program_at_port(place, program, {"--root", place.root});
            }};
}

// A peer whose HTTP is no HTTP, but knows a file.
peer bare_programs(const std::string& name, const std::string& about) {
    const std::string http = "eddy-bench-http-" + name;
    return {name,
            about,
            {own_program(service::echo, "echo", name), program_with_root(service::http_small, http),
             program_with_root(service::http_file, http)}};
}

peer beast() {
    return {
        "beast",
        "Boost.Beast with handlers",
        {own_program(service::http_small, "http", "beast"), own_program(service::http_post, "http", "beast"),
         own_program(service::ws_echo, "websocket", "beast")}};
}

peer hyper(const std::string& name, const std::string& about) {
    return {
        name,
        about,
        {own_program(service::http_small, "http", "hyper"), own_program(service::http_post, "http", "hyper")},
        "cargo"};
}

peer tokio(const std::string& name, const std::string& about) {
    return {name, about, {own_program(service::echo, "echo", "tokio")}, "cargo"};
}

peer go() {
    const std::string http = "eddy-bench-http-go";
    return {"go",
            "Go's net and net/http",
            {own_program(service::echo, "echo", "go"), own_program(service::http_small, "http", "go"),
             own_program(service::http_post, "http", "go"), program_with_root(service::http_file, http),
             program_with_root(service::http_big_file, http)},
            "go"};
}

// eddy's sockets below the HTTP of the bare peers.
peer eddy_bare(const std::string& name, const std::string& backend) {
    const auto http = [=](const server_place& place) {
        return program_at_port(
            place, "eddy-bench-http-eddy_bare",
            {"--root", place.root, "--workers", std::to_string(place.threads), "--backend", backend});
    };
    return {name,
            "eddy's sockets on " + backend + ", HTTP not parsed, file in memory",
            {{service::http_small, http}, {service::http_file, http}},
            "",
            thread_use::any};
}

// The programs that users get, but for handlers and TLS without tickets, which a program of the benchmark
// has.
peer eddy_programs(const std::string& name, const std::string& backend) {
    const auto workers = [=](const server_place& place) {
        return arguments{"--workers", std::to_string(place.threads), "--backend", backend};
    };
    const auto echo = [=](const server_place& place) {
        return program_at_port(place, "eddy-echo", workers(place));
    };
    const auto handlers = [=](const server_place& place) {
        return program_at_port(place, "eddy-bench-http-eddy", workers(place));
    };
    const auto secured = [=](const server_place& place, const certificate& shown) {
        return program_at_port(
            place, "eddy-bench-http-eddy",
            {"--backend", backend, "--root", place.root, "--tls-cert", shown.chain, "--tls-key", shown.key});
    };
    const auto secured_ecdsa = [=](const server_place& place) {
        return secured(place, ecdsa_certificate(place.temporary));
    };
    const auto secured_rsa = [=](const server_place& place) {
        return secured(place, rsa_certificate(place.temporary));
    };
    const auto messages = [=](const server_place& place) {
        return program_at_port(place, "eddy-bench-websocket-eddy", {"--backend", backend});
    };
    const auto files = [=](const server_place& place) {
        arguments more = workers(place);
        more.insert(more.end(), {"--root", place.root});
        return program_at_port(place, "eddy-httpd", more);
    };
    const auto memcached = [=](const server_place& place) {
        return program_at_port(place, "eddy-memcached", workers(place));
    };
    return {name,
            "eddy's own programs on " + backend,
            {{service::echo, echo},
             {service::http_small, handlers},
             {service::http_post, handlers},
             {service::http_tls, secured_ecdsa},
             {service::handshake_ecdsa, secured_ecdsa},
             {service::handshake_rsa, secured_rsa},
             {service::ws_echo, messages},
             {service::http_file, files},
             {service::http_big_file, files},
             {service::memcached_get, memcached},
             {service::memcached_set, memcached},
             {service::memcached_pipelined, memcached},
             {service::memcached_pairs, memcached}},
            "",
            thread_use::any};
}

// Without -u it does not run as root; for others that says nothing.
peer memcached_peer() {
    peer made{"memcached", "memcached with one thread", {}, "the Debian package memcached"};
    for (const service s : {service::memcached_get, service::memcached_set, service::memcached_pipelined,
                            service::memcached_pairs})
        made.commands.push_back({s, [](const server_place& place) {
                                     return arguments{"/usr/bin/memcached",
                                                      "-l",
                                                      "127.0.0.1",
                                                      "-p",
                                                      std::to_string(place.port),
                                                      "-t",
                                                      "1",
                                                      "-m",
                                                      "64",
                                                      "-c",
                                                      "1024",
                                                      "-u",
                                                      "nobody"};
                                 }});
    return made;
}

peer nginx_peer(const std::string& name, const std::string& about, bool caches_open_files) {
    peer made{name, about, {}, "", thread_use::any};
    for (const service s : {service::http_small, service::http_file, service::http_big_file,
                            service::http_tls, service::handshake_ecdsa, service::handshake_rsa})
        made.commands.push_back(
            {s, [=](const server_place& place) { return nginx_arguments(place, s, caches_open_files); }});
    return made;
}

}  // namespace

const std::vector<peer>& all_peers() {
    static const std::vector<peer> peers{
        bare_programs("raw_io_uring", "hand-written loop on io_uring, HTTP not parsed, file in memory"),
        bare_programs("raw_epoll", "hand-written loop on epoll, HTTP not parsed, file in memory"),
        threaded(bare_programs("asio_callbacks", "Boost.Asio with handlers, HTTP not parsed, file in memory"),
                 thread_use::any),
        threaded(bare_programs("asio_coroutines",
                               "Boost.Asio with its coroutines, HTTP not parsed, file in memory"),
                 thread_use::any),
        bare_programs("libuv", "libuv, HTTP not parsed, file in memory"),
        tokio("tokio", "tokio's current-thread runtime"),
        threaded(tokio("tokio_threads", "tokio's multi-thread runtime"), thread_use::several),
        threaded(go(), thread_use::any),
        threaded(beast(), thread_use::any),
        hyper("hyper", "hyper on tokio's current-thread runtime"),
        threaded(hyper("hyper_threads", "hyper on tokio's multi-thread runtime"), thread_use::several),
        eddy_bare("eddy_bare", "io_uring"),
        eddy_bare("eddy_bare_epoll", "epoll"),
        eddy_programs("eddy", "io_uring"),
        eddy_programs("eddy_epoll", "epoll"),
        memcached_peer(),
        nginx_peer("nginx", "nginx with one worker process a thread", false),
        nginx_peer("nginx_ofc", "nginx with open_file_cache", true),
    };
    return peers;
}

const peer& find_peer(const std::string& name) {
    const auto found = std::ranges::find(all_peers(), name, &peer::name);
    if (found == all_peers().end())
        throw usage_error(fmt::format("there is no peer '{}'; --list shows what there is", name));
    return *found;
}

const server_command* find_command(const peer& p, const configuration& c) {
    const thread_use requested = c.shares_cores ? thread_use::several : thread_use::one;
    if (p.threads != thread_use::any && p.threads != requested)
        return nullptr;
    const auto found = std::ranges::find(p.commands, c.payload.service, &server_command::service);
    return found == p.commands.end() ? nullptr : &*found;
}

}  // namespace bench
