#pragma once

#include "backend/posix/opening.hpp"

#include <eddy/io/detail/sockets.hpp>

#include <span>

namespace eddy::backends {

class posix_sockets final : public io::sockets {
public:
    explicit posix_sockets(opening how) noexcept : how_(how) {}

    int open_socket(endpoint::family family) noexcept override;
    int bind(int descriptor, const endpoint& to) noexcept override;
    int listen(int descriptor, int backlog) noexcept override;
    int local_endpoint(int descriptor, endpoint& out) noexcept override;
    int remote_endpoint(int descriptor, endpoint& out) noexcept override;
    int set_option(int descriptor, io::socket_option option, int value) noexcept override;
    int get_option(int descriptor, io::socket_option option, int& value) noexcept override;

    int adopt_listening(int descriptor) noexcept override;
    int open_datagram_socket(endpoint::family family) noexcept override;
    int open_local_socket(io::socket_kind kind) noexcept override;
    int open_local_pair(io::socket_kind kind, int& first, int& second) noexcept override;
    int connect_datagrams(int descriptor, const endpoint& to) noexcept override;
    int connect_local(int descriptor, const eddy::local_endpoint& to) noexcept override;
    int bind_local(int descriptor, const eddy::local_endpoint& to, int mode) noexcept override;
    int local_name(int descriptor, eddy::local_endpoint& out) noexcept override;
    int remote_name(int descriptor, eddy::local_endpoint& out) noexcept override;
    int credentials_of_peer(int descriptor, peer_credentials& out) noexcept override;
    int identify_socket_file(const char* path, io::file_identity& out) noexcept override;
    int is_socket_bound(const eddy::local_endpoint& at, const io::file_identity& which) noexcept override;
    int remove_socket_file(const char* path, const io::file_identity& which) noexcept override;
    int set_membership(int descriptor, const endpoint& group, const endpoint* source, unsigned interface,
                       bool is_member) noexcept override;
    int interface_index(const char* name) noexcept override;
    int send_messages(int descriptor, std::span<io::message> sent) noexcept override;
    int receive_messages(int descriptor, std::span<io::message> received) noexcept override;

    std::int64_t send_file(int connection, std::string_view first, int file, std::uint64_t offset,
                           std::uint64_t size) noexcept override;

private:
    opening how_;
};

}  // namespace eddy::backends
