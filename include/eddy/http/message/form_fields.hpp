#pragma once

#include <eddy/http/message/detail/error.hpp>

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// How much of a query or a form is taken. Beyond each: 413 Content Too Large for a form, 414 URI Too Long
/// for a query.
class form_limits {
public:
    form_limits() noexcept {}

    /// Bytes before they are decoded.
    form_limits& bytes_max(std::size_t bytes) noexcept {
        bytes_max_ = bytes;
        return *this;
    }
    /// Number of fields.
    form_limits& fields_max(std::size_t count) noexcept {
        fields_max_ = count;
        return *this;
    }

    [[nodiscard]] std::size_t bytes_max() const noexcept { return bytes_max_; }
    [[nodiscard]] std::size_t fields_max() const noexcept { return fields_max_; }

private:
    std::size_t bytes_max_ = 1 << 20;
    std::size_t fields_max_ = 1000;
};

/// Names and values of a query or of a form of type application/x-www-form-urlencoded (URL standard, section
/// 5), decoded, in the order sent. Names may come several times and may be empty.
///
/// A value; it owns its texts. They are whatever bytes were sent, not necessarily UTF-8.
class form_fields {
public:
    /// A name and its value.
    using item = std::pair<std::string, std::string>;

    form_fields() noexcept {}
    /// Errors: 400 for a malformed escape, 413 beyond a limit.
    [[nodiscard]] static std::expected<form_fields, message_error> parse(std::string_view text,
                                                                         const form_limits& limits = {});

    /// The first value of that name. Refers to this object.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;
    /// All values of that name.
    [[nodiscard]] std::vector<std::string_view> find_all(std::string_view name) const;
    /// Whether there is a field of this name.
    [[nodiscard]] bool contains(std::string_view name) const noexcept { return find(name).has_value(); }

    /// The number of fields.
    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
    /// Whether there is no field.
    [[nodiscard]] bool empty() const noexcept { return items_.empty(); }
    [[nodiscard]] auto begin() const noexcept { return items_.begin(); }
    [[nodiscard]] auto end() const noexcept { return items_.end(); }

    /// Adds a field at the end.
    void add(std::string name, std::string value) { items_.emplace_back(std::move(name), std::move(value)); }
    /// As it is sent.
    [[nodiscard]] std::string encoded() const;

private:
    std::vector<item> items_;
};

}  // namespace eddy::http
