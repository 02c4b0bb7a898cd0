#pragma once

#include <eddy/core/clock.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace eddy::rpc {

/// As grpc-timeout has it: up to eight digits and a unit. Rounded up; 0 for what is over.
[[nodiscard]] std::string timeout_text(duration left);

/// The same back. Nothing for what is malformed.
[[nodiscard]] std::optional<duration> timeout_from(std::string_view text) noexcept;

}  // namespace eddy::rpc
