#pragma once

#include <eddy/integrations/pq/array.hpp>
#include <eddy/integrations/pq/converter.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::pq {

/// The values of $1, $2 ... of a command, in the form in which they are sent: text, whose type the server
/// infers from the command (write `$1::bigint` where nothing else determines it); bytea is sent as bytes. Any
/// type with a converter can be one; std::nullopt or an empty std::optional is NULL.
///
/// - Ownership: a value; it keeps no reference to what it was made of.
/// - Errors: errc::invalid_argument for text with a null byte, which PostgreSQL cannot store.
class parameters {
public:
    /// No parameters, or these values.
    parameters() = default;
    template <class... Values>
        requires(sizeof...(Values) > 0)
    explicit parameters(const Values&... values) {
        values_.reserve(sizeof...(Values));
        (add(values), ...);
    }

    /// Adds a value.
    template <class T>
    parameters& add(const T& value) {
        begin_text();
        converter<T>::to_text(value, bytes_);
        return end_text();
    }
    template <class T>
    parameters& add(const std::optional<T>& value) {
        if (!value)
            return add(std::nullopt);
        return add(*value);
    }
    parameters& add(std::nullopt_t);
    parameters& add(std::string_view text);
    parameters& add(const std::string& text) { return add(std::string_view(text)); }
    parameters& add(const char* text) { return add(std::string_view(text)); }
    parameters& add(std::span<const std::byte> bytes);
    parameters& add(const bytea& bytes) { return add(std::span<const std::byte>(bytes)); }

    /// Where a value lies in bytes(); text is followed by a null byte.
    struct place {
        /// Where it begins in bytes().
        std::size_t offset = 0;
        /// Its length, in bytes.
        std::size_t size = 0;
        /// Whether it is NULL.
        bool is_null = false;
        /// Whether it is in PostgreSQL's binary format.
        bool is_binary = false;
    };
    /// Where the values are.
    [[nodiscard]] std::span<const place> values() const noexcept { return values_; }
    /// The values, one behind the other.
    [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
    /// The number of values.
    [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }

private:
    void begin_text() noexcept { begin_ = bytes_.size(); }
    parameters& end_text();

    std::string bytes_;
    std::vector<place> values_;
    std::size_t begin_ = 0;
};

}  // namespace eddy::pq
