#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace bench {

struct load_options {
    std::string mode;  // "echo", "http", "https", "post", "websocket", "handshake" or memcached_work
    std::uint16_t port = 0;
    unsigned connections = 1;
    double seconds = 3;
    double warmup_seconds = 0.5;
    std::uint64_t requests_each = 0;  // of each connection, instead of the window; 0: the window
    double connect_seconds_max = 5;
    std::size_t message_size = 128;         // echo, post, websocket, memcached
    std::string path = "/";                 // all that speak HTTP
    std::string expected_body_file;         // http, https: what the reply must hold
    std::vector<pid_t> measured_processes;  // whose CPU time is read at both ends of the window
};

}  // namespace bench
