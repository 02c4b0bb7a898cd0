#include "runtime/backend_factory.hpp"

#include "backend/epoll/epoll_backend.hpp"
#include "backend/uring/uring_backend.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace eddy::detail {

namespace {

backend_kind from_environment() {
    const char* const name = std::getenv("EDDY_BACKEND");
    if (name == nullptr || *name == '\0')
        return backend_kind::automatic;
    const auto kind = parse_backend_kind(name);
    if (!kind)
        throw std::invalid_argument("EDDY_BACKEND: " + kind.error());
    return *kind;
}

bool means_not_available(const std::error_code& error) {
    return error == std::errc::operation_not_permitted || error == std::errc::permission_denied ||
           error == std::errc::function_not_supported || error == std::errc::invalid_argument;
}

void say_once(const std::system_error& refused) {
    static std::atomic<bool> said{false};
    if (!said.exchange(true))
        std::fprintf(stderr, "eddy: io_uring is not available (%s); using epoll\n",
                     refused.code().message().c_str());
}

}  // namespace

backend_factory::backend_factory(backend_kind wanted, const io::backend_options& options,
                                 io::blocking_executor& blocking)
    : kind_(wanted == backend_kind::automatic ? from_environment() : wanted),
      options_(options),
      blocking_(blocking) {}

std::unique_ptr<io::backend> backend_factory::make(std::uint64_t shuffle_seed) {
    const auto options = io::backend_options(options_).shuffle_seed(shuffle_seed);
    if (kind_ == backend_kind::epoll)
        return backends::make_epoll_backend(options, blocking_);
    try {
        auto made = backends::make_uring_backend(options);
        kind_ = backend_kind::io_uring;
        return made;
    } catch (const std::system_error& refused) {
        if (kind_ == backend_kind::io_uring)
            throw std::system_error(refused.code(), "the io_uring backend is not available");
        if (!means_not_available(refused.code()))
            throw;
        say_once(refused);
    }
    auto made = backends::make_epoll_backend(options, blocking_);
    kind_ = backend_kind::epoll;
    return made;
}

}  // namespace eddy::detail
