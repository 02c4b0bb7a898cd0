#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http {

/// Fields that can be looked at and changed, in the order in which they were added: those of a response for
/// a response_filter, and trailers. Owns its texts. Names count in any case (RFC 9110 section 5.1).
class field_list {
public:
    /// A field.
    class line {
    public:
        /// A field of this name and value.
        line(std::string name, std::string value) noexcept
            : name_(std::move(name)), value_(std::move(value)) {}
        /// The name.
        [[nodiscard]] const std::string& name() const noexcept { return name_; }
        /// The value.
        [[nodiscard]] const std::string& value() const noexcept { return value_; }

    private:
        std::string name_;
        std::string value_;
    };

    field_list() noexcept = default;

    /// Adds a line behind the others. Throws std::invalid_argument for a name that is no token or a value
    /// with control characters.
    void add(std::string_view name, std::string_view value);
    /// Puts one line in the place of all of this name.
    void set(std::string_view name, std::string_view value);
    /// Takes every line of this name away.
    void remove(std::string_view name) noexcept;
    /// Removes all fields.
    void clear() noexcept { lines_.clear(); }

    /// The value of the first line of this name. Valid until the list is changed.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;

    /// The number of fields.
    [[nodiscard]] std::size_t size() const noexcept { return lines_.size(); }
    /// Whether there is no field.
    [[nodiscard]] bool empty() const noexcept { return lines_.empty(); }
    [[nodiscard]] auto begin() const noexcept { return lines_.begin(); }
    [[nodiscard]] auto end() const noexcept { return lines_.end(); }

private:
    std::vector<line> lines_;
};

}  // namespace eddy::http
