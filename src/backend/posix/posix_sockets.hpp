#pragma once

#include <eddy/io/backend.hpp>

#include <span>

namespace eddy::backends {

/// The calls on sockets that never wait and are not TCP's alone, which both Linux backends make alike.
class posix_sockets : public io::backend {
public:
    int set_option(int descriptor, io::socket_option option, int value) noexcept final;
    int get_option(int descriptor, io::socket_option option, int& value) noexcept final;

    int adopt_listening(int descriptor) noexcept final;
    int open_datagram_socket(endpoint::family family) noexcept final;
    int open_local_socket(io::socket_kind kind) noexcept final;
    int open_local_pair(io::socket_kind kind, int& first, int& second) noexcept final;
    int connect_datagrams(int descriptor, const endpoint& to) noexcept final;
    int connect_local(int descriptor, const eddy::local_endpoint& to) noexcept final;
    int bind_local(int descriptor, const eddy::local_endpoint& to, int mode) noexcept final;
    int local_name(int descriptor, eddy::local_endpoint& out) noexcept final;
    int remote_name(int descriptor, eddy::local_endpoint& out) noexcept final;
    int credentials_of_peer(int descriptor, peer_credentials& out) noexcept final;
    int identify_socket_file(const char* path, io::file_identity& out) noexcept final;
    int remove_socket_file(const char* path, const io::file_identity& which) noexcept final;
    int set_membership(int descriptor, const endpoint& group, const endpoint* source, unsigned interface,
                       bool is_member) noexcept final;
    int interface_index(const char* name) noexcept final;
    int send_messages(int descriptor, std::span<io::message> sent) noexcept final;
    int receive_messages(int descriptor, std::span<io::message> received) noexcept final;

protected:
    explicit posix_sockets(int descriptor_flags) noexcept : descriptor_flags_(descriptor_flags) {}

    /// SOCK_NONBLOCK for backends that work by readiness, 0 for others.
    [[nodiscard]] int descriptor_flags() const noexcept { return descriptor_flags_; }

private:
    int descriptor_flags_;
};

}  // namespace eddy::backends
