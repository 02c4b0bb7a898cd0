#pragma once

#include "driver/scenario.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace bench {

// Where a server finds what it needs.
struct server_place {
    std::uint16_t port;
    std::filesystem::path programs;   // the directory that eddy-bench is in
    std::filesystem::path root;       // the files to serve
    std::filesystem::path temporary;  // room for generated configuration
    unsigned threads;
};

// How one peer offers one service: the arguments of its server process, the program first.
struct server_command {
    bench::service service;
    std::function<std::vector<std::string>(const server_place&)> arguments;
};

// In which scenarios a peer takes part: where the server has one thread, where it may have several, in both.
enum class thread_use { one, several, any };

struct peer {
    std::string name;
    std::string about;
    std::vector<server_command> commands;
    // What its programs are built with, when that need not be there: then the peer is left out, unless asked
    // for.
    std::string needs = "";
    thread_use threads = thread_use::one;
};

const std::vector<peer>& all_peers();

// Throws usage_error when there is no peer of that name.
const peer& find_peer(const std::string& name);

// Null when the peer does not take part.
const server_command* find_command(const peer& p, const configuration& c);

}  // namespace bench
