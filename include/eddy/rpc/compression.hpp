#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>

namespace eddy::rpc {

/// How messages are compressed that are sent; what is received may always be compressed by gzip or not at all.
enum class compression : std::uint8_t {
    /// None.
    identity,
    /// RFC 1952.
    gzip,
};

}  // namespace eddy::rpc
