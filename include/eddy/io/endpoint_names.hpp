#pragma once

#include <eddy/detail/build.hpp>

#include <string>

namespace eddy::io {

/// The names of an endpoint. Where there is none, the host is the address and the service the port.
struct endpoint_names {
    /// The name of the host, or its address in digits.
    std::string host;
    /// The name of the service, or its port in digits.
    std::string service;
};

}  // namespace eddy::io
