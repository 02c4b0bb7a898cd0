#pragma once

#include <eddy/integrations/redis/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace eddy::redis {

/// The kinds of replies that RESP2 has.
enum class reply_kind : std::uint8_t {
    /// Nothing there.
    nil,
    /// A number.
    integer,
    /// Bytes.
    string,
    /// A short word, such as OK.
    status,
    /// A message of the server.
    error,
    /// Several replies.
    array,
};

/// The name, for messages.
[[nodiscard]] std::string_view to_string(reply_kind kind) noexcept;

template <class T>
struct reply_conversion;  // see reply_conversion.hpp

/// What a server answers: a value that owns all that it holds.
///
///     const auto visits = (co_await server.command("INCR", "visits")).as<std::int64_t>();
///
/// - as<T>() makes a T of it (reply_conversion.hpp says of what), or throws std::system_error with
///   client_error::wrong_type; of an error reply it throws redis::error, wherever in an array that stands.
/// - Thread safety: that of a value.
class reply {
public:
    reply() noexcept = default;  ///< nil
    explicit reply(std::int64_t value) noexcept : value_(value), kind_(reply_kind::integer) {}
    explicit reply(std::vector<reply> elements) noexcept
        : value_(std::move(elements)), kind_(reply_kind::array) {}
    /// Requires: `kind` is string, status or error.
    reply(reply_kind kind, std::string text) noexcept : value_(std::move(text)), kind_(kind) {}

    /// Which of these it is.
    [[nodiscard]] reply_kind kind() const noexcept { return kind_; }
    /// Whether there is nothing.
    [[nodiscard]] bool is_nil() const noexcept { return kind_ == reply_kind::nil; }
    /// Whether the server reports an error.
    [[nodiscard]] bool is_error() const noexcept { return kind_ == reply_kind::error; }
    /// Whether there are several replies.
    [[nodiscard]] bool is_array() const noexcept { return kind_ == reply_kind::array; }
    /// Whether it is a number.
    [[nodiscard]] bool is_integer() const noexcept { return kind_ == reply_kind::integer; }
    /// Whether text() may be called: a string, a status or an error.
    [[nodiscard]] bool has_text() const noexcept { return std::holds_alternative<std::string>(value_); }

    /// Requires: is_integer(), has_text() or is_array(); throws std::bad_variant_access otherwise.
    [[nodiscard]] std::int64_t integer() const { return std::get<std::int64_t>(value_); }
    /// The bytes of a string, status or error; empty otherwise.
    [[nodiscard]] const std::string& text() const& { return std::get<std::string>(value_); }
    [[nodiscard]] std::string text() && { return std::get<std::string>(std::move(value_)); }
    /// The replies of an array; none otherwise.
    [[nodiscard]] const std::vector<reply>& elements() const& { return std::get<std::vector<reply>>(value_); }
    [[nodiscard]] std::vector<reply>& elements() & { return std::get<std::vector<reply>>(value_); }

    /// The reply as a T (redis/reply_conversion.hpp). Throws redis::error if it is none.
    template <class T>
    [[nodiscard]] T as() const& {
        return reply(*this).as<T>();
    }
    template <class T>
    [[nodiscard]] T as() && {
        throw_if_error();
        return reply_conversion<T>::from(std::move(*this));
    }

    /// Throws redis::error if this is one.
    void throw_if_error() const {
        if (is_error()) [[unlikely]]
            throw error(text());
    }

    friend bool operator==(const reply&, const reply&) = default;

private:
    std::variant<std::monostate, std::int64_t, std::string, std::vector<reply>> value_;
    reply_kind kind_ = reply_kind::nil;
};

/// Throws std::system_error with client_error::wrong_type.
[[noreturn]] void throw_wrong_type(const reply& got, std::string_view wanted);

}  // namespace eddy::redis

// Without it as<T>() is of no use.
#include <eddy/integrations/redis/reply_conversion.hpp>
