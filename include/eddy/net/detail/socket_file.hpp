#pragma once

#include <eddy/io/detail/backend.hpp>
#include <eddy/io/local_endpoint.hpp>

#include <utility>

namespace eddy::detail {

/// The file of a bound local socket: removes it at the end, if it is still that one.
class socket_file {
public:
    socket_file() noexcept = default;
    /// Of a socket that was bound to `at` just now; nothing if that is no path.
    socket_file(io::backend& backend, const local_endpoint& at) noexcept : at_(at) {
        if (at.is_path() && backend.system().sockets->identify_socket_file(at.c_str(), which_) == 0)
            backend_ = &backend;
    }
    socket_file(socket_file&& other) noexcept
        : backend_(std::exchange(other.backend_, nullptr)), at_(other.at_), which_(other.which_) {}
    socket_file& operator=(socket_file&& other) noexcept {
        std::swap(backend_, other.backend_);
        std::swap(at_, other.at_);
        std::swap(which_, other.which_);
        return *this;
    }
    ~socket_file() { remove(); }

    void remove() noexcept {
        if (io::backend* const backend = std::exchange(backend_, nullptr))
            static_cast<void>(backend->system().sockets->remove_socket_file(at_.c_str(), which_));
    }

private:
    io::backend* backend_ = nullptr;
    local_endpoint at_;
    io::file_identity which_;
};

}  // namespace eddy::detail
