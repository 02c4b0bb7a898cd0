#pragma once

#include <string>
#include <utility>

namespace eddy::curl {

/// By what proxy transfers go: none, unless it is said. A value; setters chain.
class proxy_options {
public:
    proxy_options() = default;
    /// `http://host:3128`, `https://...`, `socks5h://...` and what else CURLOPT_PROXY(3) knows.
    explicit proxy_options(std::string url) : url_(std::move(url)) {}
    /// What the environment says: http_proxy, HTTPS_PROXY, ALL_PROXY, NO_PROXY.
    [[nodiscard]] static proxy_options from_environment() {
        proxy_options made;
        made.is_of_environment_ = true;
        return made;
    }

    proxy_options& login(std::string user, std::string password) {
        user_ = std::move(user);
        password_ = std::move(password);
        return *this;
    }
    /// Hosts that are asked directly: names or domains, with commas between them.
    proxy_options& except(std::string hosts) {
        except_ = std::move(hosts);
        return *this;
    }

    [[nodiscard]] bool is_of_environment() const noexcept { return is_of_environment_; }
    [[nodiscard]] const std::string& url() const noexcept { return url_; }
    [[nodiscard]] const std::string& user() const noexcept { return user_; }
    [[nodiscard]] const std::string& password() const noexcept { return password_; }
    [[nodiscard]] const std::string& except() const noexcept { return except_; }

private:
    std::string url_;
    std::string user_;
    std::string password_;
    std::string except_;
    bool is_of_environment_ = false;
};

}  // namespace eddy::curl
