#pragma once

#include "session.hpp"

#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/connection_options.hpp>

#include <memory>

namespace eddy::pq::detail {

/// Makes a connection, within its limit of time. Throws pq::error: invalid_argument, connect_failed or
/// connect_timed_out. Dropped: nothing is left of it.
[[nodiscard]] task<std::shared_ptr<session>> open_session(connection_options options);

}  // namespace eddy::pq::detail
