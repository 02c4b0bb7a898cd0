#include "detail/contains_nul.hpp"

#include <eddy/io/local_endpoint.hpp>

#include <algorithm>
#include <system_error>

namespace eddy {

namespace {

void check_size(std::string_view name) {
    if (name.size() > local_endpoint::name_size_max)
        throw std::system_error(
            std::make_error_code(std::errc::filename_too_long),
            "the name of a local socket has at most 107 bytes, unlike " + std::string(name));
}

}  // namespace

local_endpoint::local_endpoint(naming kind, std::string_view name) noexcept
    : size_(static_cast<std::uint8_t>(name.size())), naming_(kind) {
    std::ranges::copy(name, name_.begin());
}

local_endpoint local_endpoint::path(std::string_view path) {
    check_size(path);
    if (path.empty() || detail::contains_nul(path))
        throw std::system_error(std::make_error_code(std::errc::invalid_argument),
                                "the path of a local socket is empty or has a null byte");
    return {naming::path, path};
}

local_endpoint local_endpoint::abstract(std::string_view name) {
    check_size(name);
    return {naming::abstract, name};
}

std::string local_endpoint::to_string() const {
    if (naming_ == naming::unnamed)
        return "(unnamed)";
    return (naming_ == naming::abstract ? "@" : "") + std::string(name());
}

}  // namespace eddy
