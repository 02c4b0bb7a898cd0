#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/client/response_body.hpp>
#include <eddy/http/message/field.hpp>
#include <eddy/http/message/response_head.hpp>
#include <eddy/http/message/status.hpp>
#include <eddy/http/message/url.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

/// A response to a client: its head, and its body to be read. Any status is a response, 404 too.
///
/// Ownership, threads and cancellation as response_body, which it owns; the head is its own.
class client_response {
public:
    /// Made by the client.
    client_response(std::unique_ptr<client_exchange> exchange, http::url from) noexcept;
    client_response(client_response&&) noexcept;
    client_response& operator=(client_response&&) noexcept;
    ~client_response();

    /// The status code.
    [[nodiscard]] http::status status() const noexcept { return head().status(); }
    /// 200 to 299.
    [[nodiscard]] bool is_success() const noexcept { return to_number(status()) / 100 == 2; }
    /// Valid as long as the body stays in here.
    [[nodiscard]] response_head head() const noexcept;
    /// The first field of this name.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept {
        return head().find(name);
    }
    [[nodiscard]] std::optional<std::string_view> find(field id) const noexcept { return head().find(id); }
    /// The URL that this response came from, after redirects.
    [[nodiscard]] const http::url& url() const noexcept { return url_; }

    /// The body, to be read.
    [[nodiscard]] response_body& body() noexcept { return body_; }
    /// The whole body as it is, whatever its charset. See response_body::read_all(). Dropped: what was read
    /// is lost.
    [[nodiscard]] task<std::string> text(std::size_t bytes_max = std::size_t{16} << 20) {
        return body_.read_all(bytes_max);
    }

private:
    response_body body_;
    http::url url_;
};

}  // namespace eddy::http
