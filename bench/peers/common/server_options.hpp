#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace bench {

struct server_options {
    std::uint16_t port = 0;
    unsigned threads = 1;  // those that can have more than one
    std::string root;      // http: the directory with the file to serve
};

// Ends the program when the options are wrong.
inline server_options parse_server_options(int argc, char** argv) {
    server_options options;
    CLI::App app("Serves what the benchmark asks for");
    app.add_option("--port", options.port)->required();
    app.add_option("--threads", options.threads)->check(CLI::PositiveNumber);
    app.add_option("--root", options.root);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::exit(app.exit(error));
    }
    return options;
}

}  // namespace bench
