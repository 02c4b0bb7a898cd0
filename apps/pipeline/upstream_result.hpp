#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <system_error>

namespace eddy::apps {

/// A response of the upstream service, or why there is none: timed_out, not_connected (it is away),
/// connection_reset and the like (it broke off), operation_canceled (the server ends).
using upstream_result = std::expected<std::uint64_t, std::error_code>;

/// Called when the response has come. Does not throw.
using upstream_continuation = std::move_only_function<void(upstream_result)>;

}  // namespace eddy::apps
