#pragma once

#include "httpd/options.hpp"

#include <eddy/core/ready_or_task.hpp>
#include <eddy/http/files/static_files.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/server/exchange.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::apps {

/// What one worker serves, as one version of the options has it: the files, and pages of the server's own at
/// paths that go before them.
class site final : public http::request_handler {
public:
    /// Throws std::system_error if the root cannot be opened. Requires: the caller is on the worker.
    explicit site(const httpd_options& options);

    /// The router of the server's own pages; what is added below `path` needs this too. Requires: no request
    /// has come yet.
    http::router& add_page(std::string path) {
        pages_.push_back(std::move(path));
        return routes_;
    }

    [[nodiscard]] ready_or_task<> handle(http::exchange& ex) override {
        return is_page(ex.path()) ? routes_.handle(ex) : files_.handle(ex);
    }

private:
    /// Whether it is one of the pages, or below one.
    [[nodiscard]] bool is_page(std::string_view path) const noexcept;

    http::static_files files_;
    http::router routes_;
    std::vector<std::string> pages_;
};

/// The site as it is now. A request that has begun ends with the one with which it began.
class current_site final : public http::request_handler {
public:
    void set(std::shared_ptr<site> now) noexcept { now_ = std::move(now); }

    /// Requires: set() was called.
    [[nodiscard]] ready_or_task<> handle(http::exchange& ex) override;

private:
    std::shared_ptr<site> now_;
};

/// Redirects every request to the same place by HTTPS.
class https_redirection final : public http::request_handler {
public:
    explicit https_redirection(std::uint16_t port) noexcept : port_(port) {}
    [[nodiscard]] ready_or_task<> handle(http::exchange& ex) override;

private:
    [[nodiscard]] task<> redirect(http::exchange& ex) const;

    std::uint16_t port_;
};

}  // namespace eddy::apps
