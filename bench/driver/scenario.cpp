#include "driver/scenario.hpp"

#include "driver/errors.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

template <class T>
bool wanted(const std::vector<T>& filter, T value) {
    return filter.empty() || std::ranges::find(filter, value) != filter.end();
}

const char* memcached_name(service s) {
    switch (s) {
        case service::memcached_get:
            return "get";
        case service::memcached_set:
            return "set";
        case service::memcached_pipelined:
            return "32 gets";
        default:
            return "set+get";
    }
}

}  // namespace

const std::vector<scenario>& all_scenarios() {
    static const std::vector<scenario> scenarios{
        {"echo",
         "each connection sends a message and waits for the same bytes",
         {{service::echo, 128}, {service::echo, 1024}, {service::echo, 16384}},
         {1, 10, 50, 100}},
        {"echo_many",
         "the same on many connections, as rust_echo_bench is run elsewhere",
         {{service::echo, 512}},
         {50, 300, 1000}},
        {"echo_threads",
         "the same, by servers with several threads that share their cores with the load",
         {{service::echo, 128}},
         {100},
         {1, 2, 4}},
        {"http_small",
         "GET on kept connections: 13 bytes from memory, found by a router",
         {{service::http_small, 13}},
         {1, 4, 16, 25, 32, 256}},
        {"http_threads",
         "the same, by servers with several threads that share their cores with the load",
         {{service::http_small, 13}},
         {32},
         {1, 2, 4, 8, 16}},
        {"http_file",
         "GET on kept connections: a file of 1 KiB, one of 1 MiB",
         {{service::http_file, 1024}, {service::http_big_file, 1 << 20}},
         {1, 32, 256}},
        {"http_many",
         "GET on very many kept connections: a file of 1 KiB",
         {{service::http_file, 1024}},
         {5000}},
        {"http_tls",
         "GET on kept connections over TLS 1.3: a file of 1 KiB",
         {{service::http_tls, 1024}},
         {1, 32, 256}},
        {"tls_handshakes",
         "full TLS 1.3 handshakes, each on a connection of its own that is then closed",
         {{service::handshake_ecdsa, 256}, {service::handshake_rsa, 2048}},
         {32}},
        {"http_post",
         "POST on kept connections: a body that is read whole and answered with its length",
         {{service::http_post, 1024}, {service::http_post, 65536}},
         {1, 32, 256}},
        {"ws_echo",
         "each WebSocket sends a message and waits for the same bytes",
         {{service::ws_echo, 64}, {service::ws_echo, 16384}},
         {1, 100}},
        {"memcached",
         "memcached's text protocol, values of 100 bytes: gets, sets, and gets 32 at once",
         {{service::memcached_get, 100}, {service::memcached_set, 100}, {service::memcached_pipelined, 100}},
         {1, 50}},
        {"memcached_pairs",
         "memcached's text protocol, values of 100 bytes: each client sets a key and gets it",
         {{service::memcached_pairs, 100}},
         {1, 2, 3, 4}},
    };
    return scenarios;
}

const scenario& find_scenario(const std::string& name) {
    const auto found = std::ranges::find(all_scenarios(), name, &scenario::name);
    if (found == all_scenarios().end())
        throw usage_error(fmt::format("there is no scenario '{}'; --list shows what there is", name));
    return *found;
}

std::vector<configuration> configurations_of(const scenario& s, const selection& only) {
    const bool shares_cores = !s.threads.empty();
    const std::vector<unsigned> threads = shares_cores ? s.threads : std::vector{1u};
    std::vector<configuration> result;
    for (const payload& p : s.payloads)
        for (const unsigned count : s.connections)
            for (const unsigned serving : threads)
                if (wanted(only.sizes, p.size) && wanted(only.connections, count) &&
                    wanted(only.threads, serving))
                    result.push_back({s.name, p, count, serving, shares_cores});
    return result;
}

bool is_tls(service s) {
    return s == service::http_tls || s == service::handshake_ecdsa || s == service::handshake_rsa;
}

bool is_memcached(service s) {
    return s == service::memcached_get || s == service::memcached_set || s == service::memcached_pipelined ||
           s == service::memcached_pairs;
}

std::string text_of(const payload& p) {
    if (p.service == service::handshake_ecdsa)
        return fmt::format("ECDSA P-{}", p.size);
    if (p.service == service::handshake_rsa)
        return fmt::format("RSA-{}", p.size);
    if (is_memcached(p.service))
        return fmt::format("{} {} B", memcached_name(p.service), p.size);
    if (p.size % (1 << 20) == 0)
        return fmt::format("{} MiB", p.size >> 20);
    return p.size % 1024 == 0 ? fmt::format("{} KiB", p.size / 1024) : fmt::format("{} B", p.size);
}

std::string text_of(const configuration& c) {
    const std::string serving =
        c.shares_cores ? fmt::format(", {} thread{}", c.threads, c.threads == 1 ? "" : "s") : "";
    return fmt::format("{}, {}, {} connection{}{}", c.scenario, text_of(c.payload), c.connections,
                       c.connections == 1 ? "" : "s", serving);
}

}  // namespace bench
