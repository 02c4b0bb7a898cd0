#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

// What a server must be able to do.
enum class service {
    echo,
    http_small,       // GET of 13 bytes that no file holds
    http_file,        // GET of a small file
    http_big_file,    // GET of a file that is best handed over without looking at it
    http_tls,         // GET of a small file over TLS
    handshake_ecdsa,  // TLS handshakes, the certificate's key on P-256
    handshake_rsa,    // the same with RSA-2048
    http_post,        // POST, answered with the length of its body
    ws_echo,          // messages to a WebSocket, which come back
    memcached_get,    // memcached's text protocol: values of `size` bytes
    memcached_set,
    memcached_pipelined,  // gets, 32 at once
    memcached_pairs,      // a set and a get in turns
};

// What is sent: a message or a body of `size` bytes, or a GET whose reply has a body of that many; of
// handshakes the bits of the certificate's key.
struct payload {
    bench::service service;
    std::size_t size;
};

struct scenario {
    std::string name;
    std::string about;
    std::vector<payload> payloads;
    std::vector<unsigned> connections;
    // How many threads the server has, where it may have several: then it may use all of --server-cores, and
    // the load runs on the same ones. Empty: one thread on a core of its own.
    std::vector<unsigned> threads = {};
};

// One line of a scenario's table.
struct configuration {
    std::string scenario;
    bench::payload payload;
    unsigned connections;
    unsigned threads;
    bool shares_cores;
};

const std::vector<scenario>& all_scenarios();

// Throws usage_error when there is no scenario of that name.
const scenario& find_scenario(const std::string& name);

// Of each dimension only these values, unless it is empty.
struct selection {
    std::vector<std::size_t> sizes;
    std::vector<unsigned> connections;
    std::vector<unsigned> threads;
};

// Payloads times connections times threads.
std::vector<configuration> configurations_of(const scenario& s, const selection& only);

// Whether its server needs a certificate.
bool is_tls(service s);

bool is_memcached(service s);

// "128 B", "16 KiB", "RSA-2048"
std::string text_of(const payload& p);

// "http_threads, 13 B, 32 connections, 4 threads"
std::string text_of(const configuration& c);

}  // namespace bench
