#pragma once

#include <string>

namespace interop {

/// Texts of PEM files; empty: in clear.
struct server_arguments {
    int port = 0;
    bool uses_callbacks = false;  // for UnaryCall, and nothing else is there
    std::string certificate;
    std::string key;
};

/// Serves until the process is killed.
void serve(const server_arguments& given);

}  // namespace interop
