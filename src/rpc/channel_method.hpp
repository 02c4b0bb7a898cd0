#pragma once

#include "rpc/call_metrics.hpp"
#include "rpc/service_config.hpp"

#include <string>

namespace eddy::rpc::detail {

/// What all calls of a method over a channel have in common.
struct channel_method {
    std::string path;
    const method_config* config;  ///< null where there is none
    method_metrics* metrics;      ///< null where calls are not counted
    std::string head;             ///< the front of each request's
};

}  // namespace eddy::rpc::detail
