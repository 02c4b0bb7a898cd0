#pragma once

#include <eddy/detail/build.hpp>

#include <string>

namespace eddy::io {

/// The names of an endpoint. Where there is none, the host is the address and the service the port.
struct endpoint_names {
    std::string host;
    std::string service;
};

}  // namespace eddy::io
