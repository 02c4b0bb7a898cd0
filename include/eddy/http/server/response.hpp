#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/http/message/cookies.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/http/message/status.hpp>
#include <eddy/http/server/exchange.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

/// A body of a response that is not text in memory.
class response_content {
public:
    virtual ~response_content() = default;
    /// Begins the response with these fields and sends the body. Dropped: the connection ends.
    [[nodiscard]] virtual task<> respond(exchange& ex, status code, response_fields fields) = 0;
};

/// What a handler answers, as a value. Setters chain:
///
///     co_return response::json(text).status(status::created).header("Location", place);
///
/// - Ownership: owns everything but the texts that are said to be literals. Moves, does not copy.
/// - Errors: std::invalid_argument for a field that HTTP does not allow, when it is set.
/// - Cost: no allocation for a body and fields of few bytes.
class response {
public:
    explicit response(http::status code = http::status::ok) noexcept : status_(code) {}

    /// `text/plain; charset=utf-8`.
    [[nodiscard]] static response text(std::string body) { return with(std::move(body), text_field); }
    /// A page, as text/html in UTF-8.
    [[nodiscard]] static response html(std::string body) { return with(std::move(body), html_field); }
    /// A text that is JSON; see eddy/http/routing/json.hpp for values.
    [[nodiscard]] static response json(std::string body) { return with(std::move(body), json_field); }
    /// Requires: a type that lives as long as the program, a literal.
    [[nodiscard]] static response with(std::string body, std::string_view content_type) {
        return with(std::move(body), typed(content_type));
    }
    /// A status with its own words as text/plain, or a few others.
    [[nodiscard]] static response plain(http::status code);
    [[nodiscard]] static response plain(http::status code, std::string_view words);
    /// 303 See Other, or 301, 302, 307, 308. `location`: a URL or the path of one, percent-encoded.
    [[nodiscard]] static response redirect(std::string_view location,
                                           http::status code = http::status::see_other);
    /// Part of a file, or all from an offset on. Requires: a type as above.
    [[nodiscard]] static response file(eddy::file content, std::string_view content_type);
    [[nodiscard]] static response file(eddy::file content, std::uint64_t offset, std::uint64_t size,
                                       std::string_view content_type);
    /// Pieces of text as they come, each sent at once. An exception of the generator cuts the response short.
    [[nodiscard]] static response stream(async_generator<std::string> pieces,
                                         std::string_view content_type = text_type);
    /// Any other body.
    [[nodiscard]] static response of(std::unique_ptr<response_content> body);

    /// Sets the status.
    response& status(http::status code) & noexcept {
        status_ = code;
        return *this;
    }
    response&& status(http::status code) && noexcept {
        status_ = code;
        return std::move(*this);
    }
    /// Adds a field.
    response& header(std::string_view name, std::string_view value) & {
        fields_.add(name, value);
        return *this;
    }
    response&& header(std::string_view name, std::string_view value) && {
        return std::move(header(name, value));
    }
    /// Adds a Set-Cookie field.
    response& cookie(const set_cookie& set) & { return header("Set-Cookie", set.text()); }
    response&& cookie(const set_cookie& set) && { return std::move(cookie(set)); }
    /// Any type, copied.
    response& content_type(std::string_view type) &;
    response&& content_type(std::string_view type) && { return std::move(content_type(type)); }

    /// The status.
    [[nodiscard]] http::status code() const noexcept { return status_; }
    /// The body.
    [[nodiscard]] const std::string& body() const noexcept { return body_; }

    /// Answers a request with it. A small one is done at once. Dropped: the connection ends.
    [[nodiscard]] static ready_or_task<> send(exchange& ex, response answered);

    /// The media type of text().
    static constexpr std::string_view text_type = "text/plain; charset=utf-8";
    /// The media type of html().
    static constexpr std::string_view html_type = "text/html; charset=utf-8";
    /// The media type of json().
    static constexpr std::string_view json_type = "application/json";

private:
    static constexpr std::string_view type_name = "Content-Type";
    static constexpr response_field text_field = response_field::literal(type_name, text_type);
    static constexpr response_field html_field = response_field::literal(type_name, html_type);
    static constexpr response_field json_field = response_field::literal(type_name, json_type);
    [[nodiscard]] static response_field typed(std::string_view type) noexcept { return {type_name, type}; }
    [[nodiscard]] static response with(std::string body, const response_field& type) {
        response made;
        made.body_ = std::move(body);
        made.type_ = type;
        return made;
    }
    [[nodiscard]] response_fields fields() const noexcept {
        return {fields_, {&type_, type_.value().empty() ? std::size_t{0} : std::size_t{1}}};
    }
    [[nodiscard]] static task<> send_slowly(exchange& ex, response answered);

    http::status status_;
    response_field type_ = typed({});  // of the body; an empty one is none
    field_block fields_;
    std::string body_;
    std::unique_ptr<response_content> stream_;
};

}  // namespace eddy::http
