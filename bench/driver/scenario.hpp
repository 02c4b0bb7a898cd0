#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

// What a server must be able to do.
enum class service { echo, http_hello, http_file };

// What is sent: an echo message of `size` bytes, or a GET whose reply has a body of that many.
struct payload {
    bench::service service;
    std::size_t size;
};

struct scenario {
    std::string name;
    std::string about;
    std::vector<payload> payloads;
    std::vector<unsigned> connections;
};

// One line of a scenario's table.
struct configuration {
    std::string scenario;
    bench::payload payload;
    unsigned connections;
};

const std::vector<scenario>& all_scenarios();

// Throws usage_error when there is no scenario of that name.
const scenario& find_scenario(const std::string& name);

// Payloads times connections, each cut down to the values asked for unless none are.
std::vector<configuration> configurations_of(const scenario& s, const std::vector<std::size_t>& sizes,
                                             const std::vector<unsigned>& connections);

// The path of an http service's resource; nothing for echo.
std::string path_of(service s);

// "128 B", "16 KiB"
std::string size_text(std::size_t bytes);

}  // namespace bench
