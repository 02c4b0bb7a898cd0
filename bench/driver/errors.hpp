#pragma once

#include <stdexcept>

namespace bench {

// The command line asks for something that does not exist: exit status 2.
struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A measurement could not be made: exit status 1.
struct failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The user asked to stop: exit status 130.
struct interrupted : std::runtime_error {
    interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace bench
