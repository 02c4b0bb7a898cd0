#pragma once

#include "httpd/access_log.hpp"
#include "httpd/live/live_feed.hpp"
#include "httpd/live/live_page.hpp"
#include "httpd/options.hpp"
#include "httpd/site.hpp"

#include <eddy/core/task.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/shared_listeners.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/tls/tls_context.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace eddy::apps {

/// Serves one directory on every worker of a runtime, takes new options over while it does, and ends in good
/// order.
class site_server {
public:
    site_server(runtime& on, httpd_options options);

    /// Reads certificates and opens the listeners. Returns where they listen. Throws std::system_error.
    endpoint open();

    /// Serves until `drain` has been called and the connections have ended or the drain limit has passed.
    /// Throws what stopped a worker from serving. Requires: open().
    [[nodiscard]] task<> run();

    /// Applies these options from now on, with certificates and log files opened anew. Connections and
    /// requests that have begun are not affected. Ignores options of listeners and connections. If it throws,
    /// everything stays as it was.
    [[nodiscard]] task<> reload(httpd_options options);

    /// Begins the end, on every worker.
    [[nodiscard]] task<> drain();

private:
    /// What a worker has while it serves. Set, used and cleared by its own worker only.
    struct share {
        http::server* server = nullptr;
        http::server* redirecting = nullptr;
        current_site* site = nullptr;
        access_log* log = nullptr;
    };

    using options_pointer = std::shared_ptr<const httpd_options>;

    [[nodiscard]] task<> serve_on(std::size_t worker, options_pointer options);
    [[nodiscard]] task<> redirect_on(std::size_t worker, options_pointer options);
    [[nodiscard]] task<> reload_on(std::size_t worker, options_pointer options);
    [[nodiscard]] task<> drain_on(std::size_t worker);
    [[nodiscard]] task<http::server_statistics> count_on(std::size_t worker);
    [[nodiscard]] task<std::string> figures();
    [[nodiscard]] std::shared_ptr<site> make_site(const httpd_options& options);
    [[nodiscard]] task<> watch_certificates();

    /// The live page and its data.
    struct live_parts {
        explicit live_parts(const runtime& served) : feed(served) {}
        live_feed feed;
        live_page page{feed};
    };

    runtime& runtime_;
    options_pointer options_;  // used by run() and drain(); the workers get their own
    shared_listeners listeners_;
    std::optional<shared_listeners> redirecting_;
    std::optional<tls_context> tls_;
    std::optional<live_parts> live_;
    std::vector<share> shares_;
    std::atomic<bool> is_draining_ = false;
};

}  // namespace eddy::apps
