#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http {

/// The variable parts of a path, by their names in the router's pattern. Values are
/// decoded.
class path_parameters {
public:
    /// A part of the path that a pattern names.
    class parameter {
    public:
        /// Views of the request's target.
        parameter(std::string_view name, std::string_view value) noexcept : name_(name), value_(value) {}
        /// The name in the pattern.
        [[nodiscard]] std::string_view name() const noexcept { return name_; }
        /// What the path has there, decoded.
        [[nodiscard]] std::string_view value() const noexcept { return value_; }

    private:
        std::string_view name_;
        std::string_view value_;
    };

    /// Requires: `name` and `value` stay until the handler has ended.
    void add(std::string_view name, std::string_view value) { all_.emplace_back(name, value); }
    /// Takes the value over.
    void add(std::string_view name, std::string&& value) { all_.emplace_back(name, own(std::move(value))); }

    /// The value of this name; of several the last, which is the innermost router's.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept {
        for (std::size_t left = all_.size(); left > 0; --left)
            if (all_[left - 1].name() == name)
                return all_[left - 1].value();
        return std::nullopt;
    }

    /// The number of parameters.
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
    /// Whether there is no parameter.
    [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
    [[nodiscard]] auto begin() const noexcept { return all_.begin(); }
    [[nodiscard]] auto end() const noexcept { return all_.end(); }

    /// Forgets all but the first `count`. Requires: count <= size().
    void resize(std::size_t count) {
        all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(count), all_.end());
    }
    /// Removes all parameters.
    void clear() noexcept {
        all_.clear();
        owned_.clear();
    }

private:
    std::string_view own(std::string value) { return owned_.emplace_back(std::move(value)); }

    std::vector<parameter> all_;
    std::deque<std::string> owned_;
};

}  // namespace eddy::http
