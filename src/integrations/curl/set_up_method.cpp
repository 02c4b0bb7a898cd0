#include "integrations/curl/set_up_method.hpp"

#include "integrations/curl/library.hpp"
#include "integrations/curl/transfer_state.hpp"

#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::curl {

namespace {

bool is_http(std::string_view url) noexcept {
    return url.starts_with("http:") || url.starts_with("https:") || url.find("://") == std::string_view::npos;
}

curl_off_t size_of(const upload& content) noexcept {
    const std::optional<std::uint64_t> size = content.size();
    return size ? static_cast<curl_off_t>(*size) : -1;
}

void set_body(transfer_state& transfer, const upload& content, bool is_put) {
    CURL* const easy = transfer.handle();
    upload_feed& feed = transfer.feed(content);
    require(curl_easy_setopt(easy, CURLOPT_READFUNCTION, &upload_feed::on_read));
    require(curl_easy_setopt(easy, CURLOPT_READDATA, &feed));
    require(curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, &upload_feed::on_seek));
    require(curl_easy_setopt(easy, CURLOPT_SEEKDATA, &feed));
    require(curl_easy_setopt(easy, is_put ? CURLOPT_UPLOAD : CURLOPT_POST, 1L));
    require(curl_easy_setopt(easy, is_put ? CURLOPT_INFILESIZE_LARGE : CURLOPT_POSTFIELDSIZE_LARGE,
                             size_of(content)));
}

void add_part(transfer_state& transfer, curl_mime* to, const form::part& added) {
    curl_mimepart* const part = curl_mime_addpart(to);
    if (part == nullptr)
        throw std::bad_alloc();
    // libcurl encodes line ends in the other two (by the rules of HTML).
    require(curl_mime_name(part, added.name().c_str()));
    if (!added.file_name().empty())
        require(curl_mime_filename(part, added.file_name().c_str()));
    if (!added.type().empty())
        require(curl_mime_type(part, line_text(added.type(), "the type of a part")));
    upload_feed& feed = transfer.feed(added.content());
    require(curl_mime_data_cb(part, size_of(added.content()), &upload_feed::on_read, &upload_feed::on_seek,
                              nullptr, &feed));
}

void set_form(transfer_state& transfer, const form& entered) {
    mime_handle parts(curl_mime_init(transfer.handle()));
    if (parts == nullptr)
        throw std::bad_alloc();
    for (const form::part& each : entered.parts())
        add_part(transfer, parts.get(), each);
    require(curl_easy_setopt(transfer.handle(), CURLOPT_MIMEPOST, parts.get()));
    transfer.keep(std::move(parts));
}

void set_command(CURL* easy, const std::string& method) {
    require(curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method.c_str()));
}

void set_bodiless(CURL* easy, const std::string& method) {
    if (method == "HEAD") {
        require(curl_easy_setopt(easy, CURLOPT_NOBODY, 1L));
    } else if (method == "POST" || method == "PUT" || method == "PATCH") {
        require(curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t{0}));
        require(curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, ""));
        if (method != "POST")
            set_command(easy, method);
    } else if (!method.empty() && method != "GET") {
        set_command(easy, method);
    }
}

}  // namespace

void set_up_method(transfer_state& transfer, const request& req) {
    const std::string& method = req.method();
    if (!req.form() && !req.body())
        return set_bodiless(transfer.handle(), method);
    const bool is_put = req.body() && (method == "PUT" || !is_http(req.url()));
    if (req.form())
        set_form(transfer, *req.form());
    else
        set_body(transfer, *req.body(), is_put);
    if (!method.empty() && method != (is_put ? "PUT" : "POST"))
        set_command(transfer.handle(), method);
}

}  // namespace eddy::curl
