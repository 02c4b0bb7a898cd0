#pragma once

#include "load/load_options.hpp"

#include <eddy/core/task.hpp>
#include <eddy/http/client/client_request.hpp>
#include <eddy/http/message/url.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/tls/tls_context.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace eddy::apps {

/// The target of the load. Resolved once, before a run; shared by all workers, which only read it.
class load_target {
public:
    /// Resolves the name of the URL. Throws std::invalid_argument for a URL that is none of ours,
    /// std::system_error.
    [[nodiscard]] static task<load_target> find(const load_options& options);

    [[nodiscard]] const http::url& where() const noexcept { return url_; }
    [[nodiscard]] bool is_websocket() const noexcept { return is_websocket_; }
    /// The request that is sent again and again, head and body.
    [[nodiscard]] const std::string& request() const noexcept { return request_; }
    [[nodiscard]] const std::string& method() const noexcept { return method_; }

    /// The same for a client.
    [[nodiscard]] http::client_request client_request() const;
    /// The context, if the URL requires TLS.
    [[nodiscard]] const std::optional<tls_context>& tls() const noexcept { return tls_; }

    /// Makes a connection, with TLS if the URL requires it.
    [[nodiscard]] task<any_stream> connect() const;
    [[nodiscard]] task<any_stream> connect_without_tls() const;

private:
    explicit load_target(const load_options& options);

    http::url url_;
    bool is_websocket_ = false;
    std::string method_;
    std::string request_;
    std::string body_;
    std::vector<std::pair<std::string, std::string>> fields_;
    std::vector<endpoint> endpoints_;
    std::optional<tls_context> tls_;
};

}  // namespace eddy::apps
