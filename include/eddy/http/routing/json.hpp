#pragma once

// Needs nlohmann-json (nlohmann/json.hpp), which the library itself does not.

#include <eddy/core/task.hpp>
#include <eddy/http/routing/extract.hpp>
#include <eddy/http/server/request_error.hpp>
#include <eddy/http/server/response.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace eddy::http {

namespace detail {

/// Whether the depth of nested arrays and objects is below the limit, so that neither parsing nor destroying
/// can overflow the stack. Strings are skipped; what is malformed otherwise is for the parser to refuse.
[[nodiscard]] bool is_json_shallow(std::string_view text, std::size_t depth_max) noexcept;

[[nodiscard]] inline bool is_negative(const nlohmann::json& whole) {
    return !whole.is_number_unsigned() && whole.get<std::int64_t>() < 0;
}

/// Whether `kept` is what a conversion to Whole, which looks at no limits, has made of these bits.
template <class Whole>
[[nodiscard]] bool is_cast(std::uint64_t bits, const nlohmann::json& kept) {
    const auto cast = static_cast<Whole>(bits);
    return static_cast<std::uint64_t>(cast) == kept.get<std::uint64_t>() && (cast < 0) == is_negative(kept);
}

/// Whether a number was kept, or changed by the program, and not by a conversion to a type that is too small,
/// has no sign or no fractions: nlohmann-json converts without a look.
[[nodiscard]] inline bool is_kept(const nlohmann::json& sent, const nlohmann::json& kept) {
    if (kept.is_number_float())
        return std::isfinite(kept.get<double>()) || !std::isfinite(sent.get<double>());
    if (sent.is_number_float()) {
        constexpr double end = 18'446'744'073'709'551'616.0;  // 2 to the power of 64
        const double value = sent.get<double>();
        return value >= -end / 2 && value < end && kept == nlohmann::json(value);
    }
    const auto bits = sent.get<std::uint64_t>();
    if (bits == kept.get<std::uint64_t>() && is_negative(sent) == is_negative(kept))
        return true;
    return !is_cast<std::int8_t>(bits, kept) && !is_cast<std::uint8_t>(bits, kept) &&
           !is_cast<std::int16_t>(bits, kept) && !is_cast<std::uint16_t>(bits, kept) &&
           !is_cast<std::int32_t>(bits, kept) && !is_cast<std::uint32_t>(bits, kept) &&
           !is_cast<std::int64_t>(bits, kept) && !is_cast<std::uint64_t>(bits, kept);
}

/// Whether all numbers of `kept` equal those in the same places of `sent`, judged by is_kept().
[[nodiscard]] inline bool has_same_numbers(const nlohmann::json& sent, const nlohmann::json& kept) {
    if (kept.is_number())
        return !sent.is_number() || is_kept(sent, kept);
    if (kept.is_array() && sent.is_array())
        return std::equal(kept.begin(), kept.begin() + std::min(kept.size(), sent.size()), sent.begin(),
                          [](const auto& left, const auto& right) { return has_same_numbers(right, left); });
    if (kept.is_object() && sent.is_object())
        return std::all_of(kept.items().begin(), kept.items().end(), [&](const auto& item) {
            const auto found = sent.find(item.key());
            return found == sent.end() || has_same_numbers(*found, item.value());
        });
    return true;
}

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
/// JSON, 422 for JSON that is no T, or has a number that does not fit where T keeps it: -1 for an unsigned,
/// 300 for a std::uint8_t, 1.5 for an int. The texts say nothing of the program. That numbers fit is seen by
/// to_json(): a T that has none is converted by from_json() as it stands.
template <class T>
class json {
public:
    /// Owns the value.
    explicit json(T value) : value_(std::move(value)) {}
    /// The value.
    T& operator*() noexcept { return value_; }
    /// The value.
    T* operator->() noexcept { return &value_; }

private:
    T value_;
};

/// Reads such a body. Dropped: what was read is lost.
template <class T>
[[nodiscard]] task<T> read_json(exchange& ex, json_limits limits = {}) {
    const std::string_view type = ex.request().only(field::content_type).value_or(std::string_view());
    const std::string_view essence = type.substr(0, type.find(';'));
    if (!has_media_type(ex.request(), "application/json") && !essence.ends_with("+json"))
        throw request_error(status::unsupported_media_type, "not application/json");
    const std::string text = co_await ex.body().read_all(limits.bytes_max());
    if (!detail::is_json_shallow(text, limits.depth_max()))
        throw request_error(status::bad_request, "the JSON is nested too deeply");
    const nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
    if (parsed.is_discarded())
        throw request_error(status::bad_request, "the body is not JSON");
    try {
        T value = parsed.template get<T>();
        if constexpr (std::is_constructible_v<nlohmann::json, const T&>)
            if (!detail::has_same_numbers(parsed, nlohmann::json(value)))
                throw request_error(status::unprocessable_content, "a number in the JSON does not fit");
        co_return value;
    } catch (const nlohmann::json::exception&) {
        // What it says names types and places of the program's.
    }
    throw request_error(status::unprocessable_content, "the JSON is not what this request takes");
}

template <class T>
struct extractor<json<T>> {
    static task<json<T>> from(exchange& ex) {
        T value = co_await read_json<T>(ex);
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
