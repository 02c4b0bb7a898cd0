#pragma once

#include <eddy/detail/build.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace eddy::rpc {

/// A value of JSON (RFC 8259).
class json_value {
public:
    using array = std::vector<json_value>;
    using object = std::vector<std::pair<std::string, json_value>>;

    /// null.
    json_value() noexcept = default;
    template <class T>
    explicit json_value(T value) : value_(std::move(value)) {}

    /// Throws std::invalid_argument for what is malformed, is nested too deeply, or has a name twice in an object.
    [[nodiscard]] static json_value parse(std::string_view text);

    /// The value, if it is of this type: bool, double, std::string, array or object.
    template <class T>
    [[nodiscard]] const T* get_if() const noexcept {
        return std::get_if<T>(&value_);
    }
    /// A member of an object; null where there is none.
    [[nodiscard]] const json_value* find(std::string_view name) const noexcept;

private:
    std::variant<std::monostate, bool, double, std::string, array, object> value_;
};

}  // namespace eddy::rpc
