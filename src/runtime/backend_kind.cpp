#include <eddy/runtime/runtime_options.hpp>

namespace eddy {

std::string_view to_string(backend_kind kind) noexcept {
    switch (kind) {
        case backend_kind::io_uring:
            return "io_uring";
        case backend_kind::epoll:
            return "epoll";
        case backend_kind::automatic:
            break;
    }
    return "auto";
}

std::expected<backend_kind, std::string> parse_backend_kind(std::string_view name) {
    for (const auto kind : {backend_kind::automatic, backend_kind::io_uring, backend_kind::epoll})
        if (name == to_string(kind))
            return kind;
    return std::unexpected("unknown backend '" + std::string(name) + "' (io_uring, epoll or auto)");
}

}  // namespace eddy
