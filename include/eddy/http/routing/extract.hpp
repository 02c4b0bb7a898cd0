#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/message/cookies.hpp>
#include <eddy/http/message/form_fields.hpp>
#include <eddy/http/message/request_head.hpp>
#include <eddy/http/message/text_value.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/multipart_reader.hpp>
#include <eddy/http/server/request_error.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

// What a handler receives by the types of its parameters. Each is taken from the request before the handler
// is called; what is missing or wrong throws request_error, which the router answers.
//
//     routes.get("/users/{id}/posts", [](path<"id", int> id, query<"page", std::optional<unsigned>> page)
//                                         -> task<response> { ... });
//
// More kinds are added by specialising `extractor` for a type: `static T from(exchange&)`, or, where it reads
// the body, `static task<T> from(exchange&)`.

template <class T>
struct extractor;

namespace detail {

template <class T>
struct optional_traits {
    using value_type = T;
    static constexpr bool is_optional = false;
};
template <class T>
struct optional_traits<std::optional<T>> {
    using value_type = T;
    static constexpr bool is_optional = true;
};

[[noreturn]] void refuse_value(status code, std::string_view where, std::string_view name, bool is_missing);

/// The value of a text that may be missing. `code` is the status of one that is wrong.
template <class T>
T value_of(std::optional<std::string_view> text, status code, std::string_view where, std::string_view name) {
    using traits = optional_traits<T>;
    if (!text) {
        if constexpr (traits::is_optional)
            return std::nullopt;
        else
            refuse_value(code, where, name, true);
    }
    auto value = text_value<typename traits::value_type>::parse(*text);
    if (!value)
        refuse_value(code, where, name, false);
    return T(std::move(*value));
}

/// The fields of a request's query. Throws request_error, 400.
[[nodiscard]] form_fields parse_query(request_head request);

/// What an extractor has found: `*it` is the value.
template <class T>
class found_value {
public:
    explicit found_value(T value) noexcept(std::is_nothrow_move_constructible_v<T>)
        : value_(std::move(value)) {}
    operator const T&() const noexcept { return value_; }
    [[nodiscard]] const T& operator*() const noexcept { return value_; }
    [[nodiscard]] const T* operator->() const noexcept { return &value_; }

private:
    T value_;
};

}  // namespace detail

/// The parameter of this name of the path: 404 if it is no T, as nothing of that name can exist. A view stays
/// valid until the handler has ended.
template <literal_name Name, class T = std::string>
struct path : detail::found_value<T> {
    using detail::found_value<T>::found_value;
};
template <literal_name Name, class T>
struct extractor<path<Name, T>> {
    static path<Name, T> from(exchange& ex) {
        return path<Name, T>(
            detail::value_of<T>(ex.parameters().find(Name.view()), status::not_found, "path", Name.view()));
    }
};

/// The first field of this name of the query: 400 if it is no T, or is missing and T is no std::optional.
template <literal_name Name, class T = std::string>
struct query : detail::found_value<T> {
    using detail::found_value<T>::found_value;
};
template <literal_name Name, class T>
struct extractor<query<Name, T>> {
    static_assert(!std::is_same_v<typename detail::optional_traits<T>::value_type, std::string_view>,
                  "a decoded query has no owner: take a std::string");
    static query<Name, T> from(exchange& ex) {
        const form_fields fields = detail::parse_query(ex.request());
        return query<Name, T>(
            detail::value_of<T>(fields.find(Name.view()), status::bad_request, "query", Name.view()));
    }
};

/// All of the query.
struct query_fields : detail::found_value<form_fields> {
    using detail::found_value<form_fields>::found_value;
};
template <>
struct extractor<query_fields> {
    static query_fields from(exchange& ex) { return query_fields(detail::parse_query(ex.request())); }
};

/// The first field line of this name: 400 as for a query.
template <literal_name Name, class T = std::string_view>
struct header : detail::found_value<T> {
    using detail::found_value<T>::found_value;
};
template <literal_name Name, class T>
struct extractor<header<Name, T>> {
    static header<Name, T> from(exchange& ex) {
        return header<Name, T>(
            detail::value_of<T>(ex.request().find(Name.view()), status::bad_request, "header", Name.view()));
    }
};

/// A form of type application/x-www-form-urlencoded, with the default form_limits: 415 for another type, 400
/// for one that is malformed, 413 beyond a limit.
struct form : detail::found_value<form_fields> {
    using detail::found_value<form_fields>::found_value;

    /// The first value of this name; 400 if it is missing or no T, as for a query.
    template <class T = std::string>
    [[nodiscard]] T get(std::string_view name) const {
        return detail::value_of<T>((**this).find(name), status::bad_request, "form", name);
    }
};
/// The same with other limits, for handlers that call it. Dropped: what was read is lost.
[[nodiscard]] task<form> read_form(exchange& ex, form_limits limits = {});
template <>
struct extractor<form> {
    static task<form> from(exchange& ex) { return read_form(ex); }
};

/// The whole body, of any type, up to 1 MiB: 413 beyond.
struct body_text : detail::found_value<std::string> {
    using detail::found_value<std::string>::found_value;
    /// The longest body that it takes.
    static constexpr std::size_t bytes_max = 1 << 20;
};
template <>
struct extractor<body_text> {
    static task<body_text> from(exchange& ex);
};

template <>
struct extractor<multipart_reader> {
    static multipart_reader from(exchange& ex) { return multipart_reader(ex); }
};
template <>
struct extractor<request_cookies> {
    static request_cookies from(exchange& ex) { return request_cookies(ex.request()); }
};
template <>
struct extractor<request_head> {
    static request_head from(exchange& ex) { return ex.request(); }
};

/// Whether the media type of a Content-Type is this one, in lower case. Parameters do not count.
[[nodiscard]] bool has_media_type(request_head request, std::string_view type) noexcept;

}  // namespace eddy::http
