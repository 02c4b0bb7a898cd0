#pragma once

#include <eddy/integrations/pq/converter.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::pq {

namespace detail {

/// Reads the text of an array, `{1,NULL,"a \"b\"",{2,3}}` (PostgreSQL's manual, "Array Input and Output
/// Syntax"), element by element, without copying what is not escaped.
class array_reader {
public:
    enum class token { element, null, array, end, malformed };

    explicit array_reader(std::string_view text, char delimiter = ',') noexcept;
    /// The next element of this array. An element that is an array itself is returned as its whole text.
    [[nodiscard]] token next();
    /// Of the last element; until the next call.
    [[nodiscard]] std::string_view text() const noexcept { return element_; }

private:
    [[nodiscard]] token read_quoted();
    [[nodiscard]] token read_plain() noexcept;
    [[nodiscard]] token read_nested() noexcept;
    [[nodiscard]] token separated(token found) noexcept;

    std::string_view left_;
    std::string_view element_;
    std::string unescaped_;
    char delimiter_;
    bool is_malformed_ = false;
    bool needs_element_ = false;
};

/// Appends an element in quotes, with what is special escaped.
void append_quoted_element(std::string_view element, std::string& out);

/// What stands between the elements of an array of T.
template <class T>
inline constexpr char array_delimiter = ',';
template <class T>
    requires requires { converter<T>::array_delimiter; }
inline constexpr char array_delimiter<T> = converter<T>::array_delimiter;

}  // namespace detail

/// Arrays of whatever has a converter, std::optional of it where elements may be NULL, and arrays of arrays
/// (of one size, says the server). An empty vector is an empty array. Of the server's own types only box has
/// arrays with another delimiter than a comma, which is known where they are read from a row; a type of yours
/// says it by `static constexpr char array_delimiter` in its converter.
template <class T>
    requires(!std::same_as<T, std::byte>)
struct converter<std::vector<T>> {
private:
    template <class U>
    struct inner_of {
        using type = U;
        static constexpr bool is_optional = false;
        static constexpr bool is_array = false;
    };
    template <class U>
    struct inner_of<std::optional<U>> {
        using type = U;
        static constexpr bool is_optional = true;
        static constexpr bool is_array = false;
    };
    template <class U>
        requires(!std::same_as<U, std::byte>)
    struct inner_of<std::vector<U>> {
        using type = std::vector<U>;
        static constexpr bool is_optional = false;
        static constexpr bool is_array = true;
    };

public:
    static constexpr const char* name = "an array of that type";
    static constexpr char array_delimiter = detail::array_delimiter<typename inner_of<T>::type>;

    static void to_text(const std::vector<T>& values, std::string& out) {
        out += '{';
        for (std::size_t index = 0; index < values.size(); ++index) {
            if (index != 0)
                out += array_delimiter;
            append_element(static_cast<const T&>(values[index]), out);
        }
        out += '}';
    }
    static std::optional<std::vector<T>> from_text(std::string_view text, char delimiter = array_delimiter) {
        std::vector<T> values;
        detail::array_reader elements(text, delimiter);
        for (;;) {
            switch (const auto found = elements.next()) {
                case detail::array_reader::token::end:
                    return values;
                case detail::array_reader::token::malformed:
                    return std::nullopt;
                default:
                    if (!read_element(found, elements.text(), delimiter, values))
                        return std::nullopt;
            }
        }
    }

private:
    using inner = inner_of<T>;
    using value = typename inner::type;

    static void append_element(const T& element, std::string& out) {
        if constexpr (inner::is_array) {
            converter<value>::to_text(element, out);
        } else if constexpr (inner::is_optional) {
            if (element)
                append_value(*element, out);
            else
                out += "NULL";
        } else {
            append_value(element, out);
        }
    }
    static void append_value(const value& element, std::string& out) {
        std::string text;
        converter<value>::to_text(element, text);
        detail::append_quoted_element(text, out);
    }
    static bool read_element(detail::array_reader::token found, std::string_view text, char delimiter,
                             std::vector<T>& values) {
        if (found == detail::array_reader::token::null) {
            if constexpr (inner::is_optional)
                values.emplace_back(std::nullopt);
            return inner::is_optional;
        }
        if ((found == detail::array_reader::token::array) != inner::is_array)
            return false;
        std::optional<value> read;
        if constexpr (inner::is_array)
            read = converter<value>::from_text(text, delimiter);
        else
            read = converter<value>::from_text(text);
        if (!read)
            return false;
        values.push_back(std::move(*read));
        return true;
    }
};

}  // namespace eddy::pq
