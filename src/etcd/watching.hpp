#pragma once

#include "etcd/client_state.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/etcd/key_range.hpp>
#include <eddy/etcd/watch.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace eddy::etcd::detail {

/// client::watch().
[[nodiscard]] async_generator<watch_response> watch_keys(std::shared_ptr<client_state> db, key_range what,
                                                         watch_options options);

/// Waits until the key that was created at a revision exists no longer; it did before `start`.
[[nodiscard]] task<> wait_removed(std::shared_ptr<client_state> db, std::string key,
                                  std::int64_t create_revision, std::int64_t start);

}  // namespace eddy::etcd::detail
