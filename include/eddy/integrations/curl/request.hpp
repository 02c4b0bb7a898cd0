#pragma once

#include <eddy/integrations/curl/form.hpp>
#include <eddy/integrations/curl/proxy_options.hpp>
#include <eddy/integrations/curl/transfer_options.hpp>
#include <eddy/integrations/curl/upload.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::curl {

/// A request. A value: setters chain, copies share a streamed body.
///
///     curl::request wanted("https://example.com/a");
///     wanted.method("PUT").field("If-Match", tag).body(text, "text/plain").bearer(token);
///
/// Setters throw std::system_error with transfer_error::bad_argument for a method or field name that is no
/// token, and for control characters in a value.
class request {
public:
    /// Names and values, in order.
    using field_list = std::vector<std::pair<std::string, std::string>>;

    /// A GET of this URL.
    request(std::string url) : url_(std::move(url)) {}
    request(const char* url) : url_(url) {}

    /// GET by default, and POST where there is a body or a form. Of protocols other than HTTP: a command, if
    /// the protocol has any.
    request& method(std::string name);
    /// Adds a field; an empty one too.
    request& field(std::string_view name, std::string_view value);
    /// Leaves out a field that libcurl would send by itself, such as "Accept".
    request& without_field(std::string_view name);

    /// The body, and its Content-Type unless that is empty. With a method "PUT", and with other protocols
    /// than HTTP, the file to be written.
    request& body(upload content, std::string_view type = {});
    /// Sends a form, with the method POST.
    request& form(curl::form entered);

    /// A status of 401 means that it was wrong. With another scheme than basic the request is sent twice,
    /// since the server sends a challenge first: the first time without the body for `digest`, with it for
    /// `any`, so that a stream may fail with transfer_error::cannot_rewind.
    request& login(std::string user, std::string password, login_scheme scheme = login_scheme::basic);
    /// Authorization: Bearer.
    request& bearer(std::string token);

    /// By what protocols it may go, with commas between them: "http,https" by default. See
    /// CURLOPT_PROTOCOLS_STR(3) for what there is.
    request& protocols(std::string names) {
        protocols_ = std::move(names);
        return *this;
    }
    /// Connects to another address than the name's: {"example.com:443:127.0.0.1"}, see CURLOPT_RESOLVE(3).
    request& resolve(std::string entry) {
        resolved_.push_back(std::move(entry));
        return *this;
    }
    /// The path of a local socket to connect to, whatever host and port the URL says, by no proxy. Redirects
    /// are followed there too.
    request& local_socket(std::string path) {
        local_socket_ = std::move(path);
        return *this;
    }
    /// In place of the client's.
    request& options(transfer_options own) {
        options_ = std::move(own);
        return *this;
    }

    /// Where it goes.
    [[nodiscard]] const std::string& url() const noexcept { return url_; }
    [[nodiscard]] const std::string& method() const noexcept { return method_; }
    /// The fields, in order.
    [[nodiscard]] const field_list& fields() const noexcept { return fields_; }
    /// The fields that libcurl is kept from sending.
    [[nodiscard]] const std::vector<std::string>& fields_left_out() const noexcept { return left_out_; }
    [[nodiscard]] const std::optional<upload>& body() const noexcept { return body_; }
    [[nodiscard]] const std::optional<curl::form>& form() const noexcept { return form_; }
    /// Whether a name and a password are sent.
    [[nodiscard]] bool has_login() const noexcept { return has_login_; }
    /// The name.
    [[nodiscard]] const std::string& user() const noexcept { return user_; }
    /// The password.
    [[nodiscard]] const std::string& password() const noexcept { return password_; }
    /// How it logs in.
    [[nodiscard]] login_scheme scheme() const noexcept { return scheme_; }
    [[nodiscard]] const std::string& bearer() const noexcept { return bearer_; }
    [[nodiscard]] const std::string& protocols() const noexcept { return protocols_; }
    /// Addresses that are taken instead of a look-up.
    [[nodiscard]] const std::vector<std::string>& resolved() const noexcept { return resolved_; }
    [[nodiscard]] const std::string& local_socket() const noexcept { return local_socket_; }
    [[nodiscard]] const std::optional<transfer_options>& options() const noexcept { return options_; }

private:
    std::string url_;
    std::string method_;
    field_list fields_;
    std::vector<std::string> left_out_;
    std::optional<upload> body_;
    std::optional<curl::form> form_;
    std::string user_;
    std::string password_;
    std::string bearer_;
    std::string protocols_ = "http,https";
    std::vector<std::string> resolved_;
    std::string local_socket_;
    std::optional<transfer_options> options_;
    login_scheme scheme_ = login_scheme::basic;
    bool has_login_ = false;
};

}  // namespace eddy::curl
