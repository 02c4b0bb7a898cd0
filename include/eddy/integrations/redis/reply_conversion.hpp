#pragma once

#include <eddy/integrations/redis/reply.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace eddy::redis {

// What reply::as<T>() makes of a reply:
//
//   reply                     anything that is no error
//   bool                      integers 0 and 1; a status ("OK") is true, nil false, as for SET .. NX
//   integers, floating point  an integer, or a string that is a number as a whole and fits
//   std::string               a string, a status, an integer
//   std::optional<T>          nil is empty
//   std::pair, std::tuple     an array of so many elements
//   maps                      an array of keys and values in turn (HGETALL, CONFIG GET), or of such pairs
//   other containers          an array
//
// Another type may be added by specialising this with `static T from(reply&& given)`.
template <class T>
struct reply_conversion;

namespace detail {

template <class T>
concept map_like = requires {
    typename T::key_type;
    typename T::mapped_type;
};

template <class T>
concept sequence_like = requires(T& made) {
    typename T::value_type;
    made.insert(made.end(), std::declval<typename T::value_type>());
} && !map_like<T>;

template <class T>
T number_from(const reply& given) {
    T value{};
    if (given.is_integer()) {
        if constexpr (std::integral<T>) {
            if (!std::in_range<T>(given.integer()))
                throw_wrong_type(given, "an integer that fits");
        }
        return static_cast<T>(given.integer());
    }
    if (!given.has_text())
        throw_wrong_type(given, "a number");
    const std::string& text = given.text();
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size())
        throw_wrong_type(given, "a number");
    return value;
}

/// Throws unless it is an array of that many.
std::vector<reply>& elements_of(reply& given, std::optional<std::size_t> size = std::nullopt);

}  // namespace detail

template <>
struct reply_conversion<reply> {
    static reply from(reply&& given) { return std::move(given); }
};

template <>
struct reply_conversion<bool> {
    static bool from(reply&& given);
};

template <class T>
    requires(std::integral<T> || std::floating_point<T>)
struct reply_conversion<T> {
    static T from(reply&& given) { return detail::number_from<T>(given); }
};

template <>
struct reply_conversion<std::string> {
    static std::string from(reply&& given);
};

template <class T>
struct reply_conversion<std::optional<T>> {
    static std::optional<T> from(reply&& given) {
        if (given.is_nil())
            return std::nullopt;
        return std::move(given).template as<T>();
    }
};

template <class First, class Second>
struct reply_conversion<std::pair<First, Second>> {
    static std::pair<First, Second> from(reply&& given) {
        auto& parts = detail::elements_of(given, 2);
        return {std::move(parts[0]).template as<First>(), std::move(parts[1]).template as<Second>()};
    }
};

template <class... T>
struct reply_conversion<std::tuple<T...>> {
    static std::tuple<T...> from(reply&& given) {
        auto& parts = detail::elements_of(given, sizeof...(T));
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            return std::tuple<T...>{std::move(parts[Index]).template as<T>()...};
        }(std::index_sequence_for<T...>());
    }
};

template <detail::map_like T>
struct reply_conversion<T> {
    static T from(reply&& given) {
        T made;
        auto& parts = detail::elements_of(given);
        if (!parts.empty() && parts.front().is_array()) {
            for (reply& each : parts) {
                auto& pair = detail::elements_of(each, 2);
                add(made, pair[0], pair[1]);
            }
            return made;
        }
        if (parts.size() % 2 != 0)
            throw_wrong_type(given, "keys and values");
        for (std::size_t at = 0; at != parts.size(); at += 2)
            add(made, parts[at], parts[at + 1]);
        return made;
    }

private:
    static void add(T& made, reply& key, reply& value) {
        auto first = std::move(key).template as<typename T::key_type>();
        made.insert({std::move(first), std::move(value).template as<typename T::mapped_type>()});
    }
};

template <detail::sequence_like T>
    requires(!std::same_as<T, std::string>)
struct reply_conversion<T> {
    static T from(reply&& given) {
        T made;
        for (reply& each : detail::elements_of(given))
            made.insert(made.end(), std::move(each).template as<typename T::value_type>());
        return made;
    }
};

}  // namespace eddy::redis
