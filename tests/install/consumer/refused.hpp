#pragma once

#include <eddy/eddy.hpp>

#include <exception>
#include <utility>

// Whether a task fails, as connecting to a port where nothing listens does.
inline int fails(eddy::task<> tried) {
    try {
        eddy::run(std::move(tried));
        return 1;
    } catch (const std::exception&) {
        return 0;
    }
}
