#pragma once

#include <eddy/io/file_system.hpp>

#include <string>
#include <string_view>

namespace eddy::detail {

/// A path in the folder that nobody else has, by 64 random bits. It is not made from another name, which may
/// be as long as a name can be.
[[nodiscard]] std::string unique_name(io::file_system& files, std::string_view folder);

}  // namespace eddy::detail
