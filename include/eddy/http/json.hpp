#pragma once

// Needs nlohmann-json (nlohmann/json.hpp), which the library itself does not.

#include <eddy/core/task.hpp>
#include <eddy/http/extract.hpp>
#include <eddy/http/request_error.hpp>
#include <eddy/http/response.hpp>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

namespace detail {

/// Whether the depth of nested arrays and objects is below the limit, so that neither parsing nor destroying
/// can overflow the stack. Strings are skipped; what is malformed otherwise is for the parser to refuse.
[[nodiscard]] bool is_json_shallow(std::string_view text, std::size_t depth_max) noexcept;

}  // namespace detail

/// How much of a JSON body is taken.
class json_limits {
public:
    json_limits() noexcept {}
    /// Beyond: 413.
    json_limits& bytes_max(std::size_t bytes) noexcept {
        bytes_max_ = bytes;
        return *this;
    }
    /// Of arrays and objects in each other. Beyond: 400.
    json_limits& depth_max(std::size_t depth) noexcept {
        depth_max_ = depth;
        return *this;
    }
    [[nodiscard]] std::size_t bytes_max() const noexcept { return bytes_max_; }
    [[nodiscard]] std::size_t depth_max() const noexcept { return depth_max_; }

private:
    std::size_t bytes_max_ = 1 << 20;
    std::size_t depth_max_ = 100;
};

/// A body that is JSON (RFC 8259), as a T by nlohmann-json's from_json(). As a handler's parameter it is read
/// with the default limits.
///
/// Errors: request_error: 415 for a Content-Type that is not application/json or */*+json, 400 for what is no
/// JSON, 422 for JSON that is no T.
template <class T>
class json {
public:
    explicit json(T value) : value_(std::move(value)) {}
    T& operator*() noexcept { return value_; }
    T* operator->() noexcept { return &value_; }

private:
    T value_;
};

/// Reads such a body. Dropped: what was read is lost.
template <class T>
[[nodiscard]] task<T> read_json(exchange& asked, json_limits limits = {}) {
    const std::string_view type = asked.request().only(field::content_type).value_or(std::string_view());
    const std::string_view essence = type.substr(0, type.find(';'));
    if (!has_media_type(asked.request(), "application/json") && !essence.ends_with("+json"))
        throw request_error(status::unsupported_media_type, "not application/json");
    const std::string text = co_await asked.body().read_all(limits.bytes_max());
    if (!detail::is_json_shallow(text, limits.depth_max()))
        throw request_error(status::bad_request, "the JSON is nested too deeply");
    const nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
    if (parsed.is_discarded())
        throw request_error(status::bad_request, "the body is not JSON");
    try {
        co_return parsed.template get<T>();
    } catch (const nlohmann::json::exception& error) {
        throw request_error(status::unprocessable_content, error.what());
    }
}

template <class T>
struct extractor<json<T>> {
    static task<json<T>> from(exchange& asked) {
        T value = co_await read_json<T>(asked);
        co_return json<T>(std::move(value));
    }
};

/// A response with a value as JSON, by nlohmann-json's to_json(). Bytes that are no UTF-8 are replaced.
template <class T>
[[nodiscard]] response json_response(const T& value) {
    return response::json(
        nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace eddy::http
