#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/http/routing/detail/middleware_chain.hpp>
#include <eddy/http/routing/middleware.hpp>
#include <eddy/http/server/exchange.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// One route of a router: its handler, and what holds for its requests only. Setters chain; they are called
/// before requests come.
///
/// Ownership: the router's.
class route {
public:
    /// Requires: `handler` is not null, or `mounted` outlives the route.
    route(std::string method_name, std::string pattern, std::vector<std::string> names,
          std::unique_ptr<request_handler> handler)
        : method_name_(std::move(method_name)),
          pattern_(std::move(pattern)),
          full_pattern_(pattern_),
          names_(std::move(names)),
          owned_(std::move(handler)),
          handler_(*owned_),
          chain_(handler_) {}
    route(std::string pattern, std::vector<std::string> names, request_handler& mounted)
        : pattern_(std::move(pattern)),
          full_pattern_(pattern_),
          names_(std::move(names)),
          handler_(mounted),
          chain_(mounted),
          is_mount_(true) {}
    route(const route&) = delete;
    route& operator=(const route&) = delete;

    /// Has it called for the requests of this route, inside of that of the router.
    route& use(std::shared_ptr<middleware> inner) {
        chain_.add(std::move(inner));
        return *this;
    }
    template <std::derived_from<middleware> Middleware>
    route& use(Middleware inner) {
        return use(std::make_shared<Middleware>(std::move(inner)));
    }
    /// Bytes of a request's body. Beyond: 413 Content Too Large, before the handler is called if the client
    /// has announced the size. It can lower the server's own limit (message_limits), not raise it.
    route& body_bytes_max(std::uint64_t bytes) noexcept {
        body_bytes_max_ = bytes;
        return *this;
    }

    /// Empty for any.
    [[nodiscard]] const std::string& method_name() const noexcept { return method_name_; }
    /// As passed to the router.
    [[nodiscard]] const std::string& pattern() const noexcept { return pattern_; }

private:
    friend class router;

    std::string method_name_;
    std::string pattern_;
    std::string full_pattern_;  // with the prefixes below which its router is mounted
    std::vector<std::string> names_;
    std::unique_ptr<request_handler> owned_;
    request_handler& handler_;
    std::unique_ptr<request_handler> guard_;  // turns what the handler throws into responses
    middleware_chain chain_;                  // leads to the guard
    std::optional<std::uint64_t> body_bytes_max_;
    bool is_mount_ = false;
};

}  // namespace eddy::http
