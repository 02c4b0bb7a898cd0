#pragma once

#include <eddy/http/message/detail/error.hpp>

#include <expected>
#include <span>
#include <string_view>

namespace eddy::http {

/// A request's path as a relative file path: decoded, without "." and "..", without a leading or trailing
/// slash, its segments separated by single slashes. The root is the empty path.
class target_path {
public:
    target_path(std::string_view path, bool names_directory) noexcept
        : path_(path), names_directory_(names_directory) {}

    [[nodiscard]] std::string_view path() const noexcept { return path_; }
    /// It ended in a slash or a dot segment, or is the root.
    [[nodiscard]] bool names_directory() const noexcept { return names_directory_; }

private:
    std::string_view path_;
    bool names_directory_;
};

/// Makes a relative path of an origin-form target or request_head::path(), into `buffer`, to which the result
/// refers. Nothing is allocated; the result is never longer than the target.
///
/// What is after "?" is left out. Escapes are decoded once, then segments are looked at, so that "%2e%2e" is
/// "..". Empty segments are dropped. ".." takes the segment before it away; where there is none, the target
/// tries to leave the root and is refused, even if it would come back. Other bytes stand for themselves, the
/// backslash, control characters and bytes that are no UTF-8 among them: on POSIX they may be part of a name.
/// A check of names only: links inside the root are checked where the file is opened.
///
/// Errors: 400 for a target that does not start with "/", a "%" without two hexadecimal digits, "%00" or a
/// NUL, "%2F" (no file name holds a slash, and decoding it would slip past rules about prefixes), and for
/// leaving the root. 414 when the path does not fit the buffer; one as long as the target always suffices.
/// Requires: nothing; any bytes may be given.
[[nodiscard]] std::expected<target_path, message_error> resolve_target_path(std::string_view target,
                                                                            std::span<char> buffer) noexcept;

}  // namespace eddy::http
