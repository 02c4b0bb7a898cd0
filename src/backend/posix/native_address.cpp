#include "backend/posix/native_address.hpp"

#include "backend/posix/native_endpoint.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace eddy::backends {

native_address address_of(const endpoint& from) noexcept {
    const native_endpoint native = to_native(from);
    native_address to{};
    std::memcpy(&to.any, &native.any, native.size);
    to.size = native.size;
    return to;
}

native_address address_of(const local_endpoint& from) noexcept {
    native_address to{};
    to.local = {};
    to.local.sun_family = AF_UNIX;
    to.size = offsetof(sockaddr_un, sun_path);
    if (from.kind() == local_endpoint::naming::unnamed)
        return to;
    // An abstract name begins with a null byte, a path ends with one (unix(7)).
    const bool is_abstract = from.kind() == local_endpoint::naming::abstract;
    std::memcpy(to.local.sun_path + (is_abstract ? 1 : 0), from.name().data(), from.name().size());
    to.size += static_cast<socklen_t>(from.name().size() + 1);
    return to;
}

endpoint endpoint_of(const native_address& from) noexcept {
    native_endpoint native{};
    std::memcpy(&native.v6, &from.v6, sizeof(native.v6));
    native.size = from.size;
    return from_native(native);
}

local_endpoint local_endpoint_of(const native_address& from) noexcept {
    constexpr std::size_t begin = offsetof(sockaddr_un, sun_path);
    if (from.size <= begin || from.any.sa_family != AF_UNIX)
        return {};
    // The system counts the null byte behind a path that has the full length, and leaves it out.
    const std::size_t size = std::min(from.size - begin, sizeof(from.local.sun_path));
    const std::string_view name(from.local.sun_path, size);
    if (name.front() == '\0')
        return local_endpoint::abstract(name.substr(1));
    // A path of another program's may have the full length and no null byte; ours never do.
    const std::string_view path = name.substr(0, name.find('\0'));
    return path.size() <= local_endpoint::name_size_max ? local_endpoint::path(path) : local_endpoint();
}

}  // namespace eddy::backends
