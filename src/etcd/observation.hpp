#pragma once

#include "etcd/client_state.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/etcd/key_value.hpp>

#include <memory>
#include <string>

namespace eddy::etcd::detail {

/// client::observe().
[[nodiscard]] async_generator<key_value> observe_leaders(std::shared_ptr<client_state> db, std::string name);

}  // namespace eddy::etcd::detail
