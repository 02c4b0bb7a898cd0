#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace bench {

struct server_options {
    std::uint16_t port = 0;
    unsigned threads = 1;  // those that can have more than one
    std::string root;      // http: the directory with the file to serve
};

template <class Number>
bool read_number(std::string_view text, Number& number) {
    return std::from_chars(text.data(), text.data() + text.size(), number).ptr == text.data() + text.size();
}

// Reads `--port P [--threads N] [--root DIR]`; ends the program with status 2 on anything else.
inline server_options parse_server_options(int argc, char** argv) {
    server_options options;
    bool wrong = argc % 2 == 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name = argv[i], value = argv[i + 1];
        if (name == "--root")
            options.root = value;
        else if (name == "--port")
            wrong |= !read_number(value, options.port);
        else if (name == "--threads")
            wrong |= !read_number(value, options.threads);
        else
            wrong = true;
    }
    if (wrong || options.port == 0 || options.threads == 0) {
        std::fprintf(stderr, "usage: %s --port P [--threads N] [--root DIR]\n", argv[0]);
        std::exit(2);
    }
    return options;
}

}  // namespace bench
