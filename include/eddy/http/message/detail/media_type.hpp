#pragma once

#include <eddy/detail/build.hpp>

#include <string_view>

namespace eddy::http {

/// The Content-Type for a file, by the extension of its name in any case; text types carry charset=utf-8.
/// "application/octet-stream" for names without an extension or with an unknown one; a leading dot
/// (".html") does not start an extension. Takes a name or a path. The result lives forever.
[[nodiscard]] std::string_view media_type_of(std::string_view path) noexcept;

/// Whether content of this type is worth compressing: text and the textual application types.
[[nodiscard]] bool is_compressible(std::string_view media_type) noexcept;

}  // namespace eddy::http
