#pragma once

#include <eddy/http/server/server.hpp>

#include <string>

namespace eddy::apps {

/// What all servers together have done, in the text format of Prometheus.
[[nodiscard]] std::string figures_text(const http::server_statistics& all, bool is_draining);

/// Adds what one server has done to what others have.
void add_to(http::server_statistics& sum, const http::server_statistics& one) noexcept;

}  // namespace eddy::apps
