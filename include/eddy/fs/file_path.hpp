#pragma once

#include <eddy/detail/build.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace eddy {

/// The path of a file or directory: any bytes but NUL, which ends a path for the system. A
/// relative path begins in the program's working directory.
///
/// Ownership: has a copy of its own. Errors: a path that holds a NUL byte fails the call that it is passed to
/// (invalid_argument, with a message that says so), not its construction. Names that are too long, and other
/// errors, are detected by the system.
class file_path {
public:
    file_path(std::string text) noexcept : text_(std::move(text)) {}
    file_path(const char* text) : text_(text) {}
    file_path(std::string_view text) : text_(text) {}
    /// From std::filesystem::path and similar types.
    template <class Path>
        requires std::is_same_v<typename Path::string_type, std::string>
    file_path(const Path& path) : text_(path.native()) {}

    /// The path as text.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    /// For a system call. Throws std::system_error if it holds a NUL byte.
    [[nodiscard]] const char* checked() const;

    /// The directory in which it is: what stands before the last part, "." if nothing does.
    [[nodiscard]] std::string parent() const;

private:
    std::string text_;
};

}  // namespace eddy
