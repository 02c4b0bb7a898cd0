#pragma once

#include <eddy/io/detail/sockets.hpp>

namespace eddy::io {

/// Sockets that leave every call to others: a base for those that do one thing differently.
class forwarding_sockets : public sockets {
public:
    explicit forwarding_sockets(sockets& real) noexcept : real_(real) {}

    int open_socket(endpoint::family family) noexcept override { return real_.open_socket(family); }
    int bind(int descriptor, const endpoint& to) noexcept override { return real_.bind(descriptor, to); }
    int listen(int descriptor, int backlog) noexcept override { return real_.listen(descriptor, backlog); }
    int adopt_listening(int descriptor) noexcept override { return real_.adopt_listening(descriptor); }
    int set_option(int descriptor, socket_option option, int value) noexcept override {
        return real_.set_option(descriptor, option, value);
    }
    int get_option(int descriptor, socket_option option, int& value) noexcept override {
        return real_.get_option(descriptor, option, value);
    }
    int local_endpoint(int descriptor, endpoint& out) noexcept override {
        return real_.local_endpoint(descriptor, out);
    }
    int remote_endpoint(int descriptor, endpoint& out) noexcept override {
        return real_.remote_endpoint(descriptor, out);
    }
    int open_datagram_socket(endpoint::family family) noexcept override {
        return real_.open_datagram_socket(family);
    }
    int open_local_socket(socket_kind kind) noexcept override { return real_.open_local_socket(kind); }
    int open_local_pair(socket_kind kind, int& first, int& second) noexcept override {
        return real_.open_local_pair(kind, first, second);
    }
    int connect_datagrams(int descriptor, const endpoint& to) noexcept override {
        return real_.connect_datagrams(descriptor, to);
    }
    int connect_local(int descriptor, const eddy::local_endpoint& to) noexcept override {
        return real_.connect_local(descriptor, to);
    }
    int bind_local(int descriptor, const eddy::local_endpoint& to, int mode) noexcept override {
        return real_.bind_local(descriptor, to, mode);
    }
    int local_name(int descriptor, eddy::local_endpoint& out) noexcept override {
        return real_.local_name(descriptor, out);
    }
    int remote_name(int descriptor, eddy::local_endpoint& out) noexcept override {
        return real_.remote_name(descriptor, out);
    }
    int credentials_of_peer(int descriptor, peer_credentials& out) noexcept override {
        return real_.credentials_of_peer(descriptor, out);
    }
    int identify_socket_file(const char* path, file_identity& out) noexcept override {
        return real_.identify_socket_file(path, out);
    }
    int is_socket_bound(const eddy::local_endpoint& at, const file_identity& which) noexcept override {
        return real_.is_socket_bound(at, which);
    }
    int remove_socket_file(const char* path, const file_identity& which) noexcept override {
        return real_.remove_socket_file(path, which);
    }
    int set_membership(int descriptor, const endpoint& group, const endpoint* source, unsigned interface,
                       bool is_member) noexcept override {
        return real_.set_membership(descriptor, group, source, interface, is_member);
    }
    int interface_index(const char* name) noexcept override { return real_.interface_index(name); }
    int send_messages(int descriptor, std::span<message> sent) noexcept override {
        return real_.send_messages(descriptor, sent);
    }
    int receive_messages(int descriptor, std::span<message> received) noexcept override {
        return real_.receive_messages(descriptor, received);
    }
    std::int64_t send_file(int connection, std::string_view first, int file, std::uint64_t offset,
                           std::uint64_t size) noexcept override {
        return real_.send_file(connection, first, file, offset, size);
    }

protected:
    ~forwarding_sockets() = default;

private:
    sockets& real_;
};

}  // namespace eddy::io
