#pragma once

#include <eddy/detail/build.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace eddy {

/// The address of a socket on this machine (AF_UNIX): a path in the file system, an abstract name that no
/// file stands for, or none. A value.
class local_endpoint {
public:
    /// How a socket is named (unix(7)).
    enum class naming : std::uint8_t {
        /// Not at all.
        unnamed,
        /// By a path of the file system.
        path,
        /// By a name of its own, which vanishes with the socket.
        abstract,
    };
    /// The longest path or abstract name, in bytes.
    static constexpr std::size_t name_size_max = 107;

    /// Without a name. The system assigns a free abstract name to a socket that is bound to it.
    local_endpoint() noexcept = default;

    /// Throws std::system_error: filename_too_long, or invalid_argument if it is empty or has a null byte.
    [[nodiscard]] static local_endpoint path(std::string_view path);
    /// Any bytes. Throws std::system_error: filename_too_long.
    [[nodiscard]] static local_endpoint abstract(std::string_view name);

    /// How it is named.
    [[nodiscard]] naming kind() const noexcept { return naming_; }
    /// Whether it is a path of the file system.
    [[nodiscard]] bool is_path() const noexcept { return naming_ == naming::path; }
    /// The path or the abstract name; empty for an unnamed one.
    [[nodiscard]] std::string_view name() const noexcept { return {name_.data(), size_}; }
    /// The name as a string that ends with a null byte.
    [[nodiscard]] const char* c_str() const noexcept { return name_.data(); }

    /// "/run/a.sock", "@name" for an abstract one, "(unnamed)".
    [[nodiscard]] std::string to_string() const;

    friend bool operator==(const local_endpoint& left, const local_endpoint& right) noexcept {
        return left.naming_ == right.naming_ && left.name() == right.name();
    }

private:
    local_endpoint(naming kind, std::string_view name) noexcept;

    std::array<char, name_size_max + 1> name_{};
    std::uint8_t size_ = 0;
    naming naming_ = naming::unnamed;
};

}  // namespace eddy
