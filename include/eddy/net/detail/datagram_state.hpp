#pragma once

#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/detail/intrusive_list.hpp>
#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/io/local_endpoint.hpp>
#include <eddy/io/message.hpp>
#include <eddy/io/owned_bytes.hpp>
#include <eddy/runtime/detail/worker_descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

namespace eddy {

/// What receive_from() returns. `Endpoint`: endpoint or local_endpoint.
template <class Endpoint>
struct received_from {
    std::size_t size = 0;  ///< bytes that were put into the memory
    Endpoint from;
    bool is_truncated = false;  ///< the datagram was longer; its rest is lost
    /// Not 0: several datagrams of one sender came together, all but the last of this size.
    std::uint16_t segment_bytes = 0;
};

namespace detail {

class datagram_state;
struct socket_use_tag;

/// An operation on a socket, in the list by which close() finds it.
class socket_use : public list_hook<socket_use_tag> {
public:
    explicit socket_use(io::operation& used) noexcept : used_(used) {}
    /// Listed from the beginning.
    socket_use(datagram_state& state, io::operation& used) noexcept;
    [[nodiscard]] io::operation& used() const noexcept { return used_; }

private:
    io::operation& used_;
};

/// What a socket for datagrams keeps where it cannot move: its descriptor, the operations on it, and a
/// datagram that was taken from the system for a receive that was dropped.
class datagram_state : public worker_descriptor {
public:
    struct kept_datagram {
        /// Copies what there is room for and notes whether something was cut off. Returns the copied size.
        std::size_t copy_to(std::span<std::byte> out) noexcept;

        owned_bytes bytes;
        endpoint from;
        local_endpoint local_from;
        bool is_truncated = false;
        std::uint16_t segment_bytes = 0;
    };

    /// `send_to_peer`: the opcode that sends a datagram to the socket's peer, send or send_message.
    datagram_state(worker_core& home, int descriptor, io::opcode send_to_peer) noexcept;
    ~datagram_state();

    void close() noexcept;

    [[nodiscard]] io::opcode send_to_peer() const noexcept { return send_to_peer_; }
    /// Lists an operation until it is destroyed.
    void list(socket_use& use) noexcept { uses_.push_back(use); }

    /// Whether a receive is answered by one that was dropped before it.
    [[nodiscard]] bool has_kept() const noexcept { return kept_ != nullptr || is_one_lost_; }
    /// What was kept; if nothing, the error for a receive: not_enough_memory, once, if something was lost.
    [[nodiscard]] std::expected<std::unique_ptr<kept_datagram>, std::error_code> take_kept() noexcept;
    /// Keeps a datagram for the next receive. Without memory it is lost, and the next receive reports that.
    void keep(std::span<const std::byte> bytes, const io::message& msg) noexcept;

    /// In every build ends the program with a message if there is one.
    void require_no_receive() const noexcept {
        if (is_receiving) [[unlikely]]
            fatal("one receive at a time on a socket");
    }

    bool is_receiving = false;
    /// Whether several datagrams of one sender may come together.
    bool receives_segments = false;
    /// Whether it is worth trying to receive, or send, at once.
    io::speculation receive_speculation;
    io::speculation send_speculation;

private:
    io::opcode send_to_peer_;
    intrusive_list<socket_use, socket_use_tag> uses_;
    std::unique_ptr<kept_datagram> kept_;
    bool is_one_lost_ = false;
};

inline socket_use::socket_use(datagram_state& state, io::operation& used) noexcept : used_(used) {
    state.list(*this);
}

/// While it lives, its task is the one that receives.
class receiving_task {
public:
    explicit receiving_task(datagram_state& state) noexcept : state_(state) {
        state.require_no_receive();
        state.is_receiving = true;
    }
    receiving_task(const receiving_task&) = delete;
    receiving_task& operator=(const receiving_task&) = delete;
    ~receiving_task() { state_.is_receiving = false; }

private:
    datagram_state& state_;
};

/// Awaits a datagram in the caller's memory.
template <class Endpoint>
class awaited_datagram : public io::awaited_operation<io::message_operation>,
                         public outcome_awaiter<awaited_datagram<Endpoint>> {
public:
    awaited_datagram(datagram_state& state, std::span<std::byte> out) noexcept;
    awaited_datagram(awaited_datagram&& other) noexcept : awaited_datagram(other.state_, other.out_) {}
    awaited_datagram& operator=(awaited_datagram&&) = delete;
    ~awaited_datagram();

    bool await_ready() noexcept;
    void await_suspend(detail::suspension point) noexcept;
    std::expected<received_from<Endpoint>, std::error_code> outcome() noexcept;
    [[nodiscard]] static const char* what() noexcept { return "receive"; }

private:
    void describe() noexcept;

    datagram_state& state_;
    std::span<std::byte> out_;
    const_buffer piece_;
    Endpoint from_;
    socket_use use_{*this};
    bool is_taken_ = false;
};
extern template class awaited_datagram<endpoint>;
extern template class awaited_datagram<local_endpoint>;

/// Awaits a datagram, of which only the size matters: the socket has one peer.
template <class Endpoint>
class awaited_datagram_size : public awaited_datagram<Endpoint>,
                              public outcome_awaiter<awaited_datagram_size<Endpoint>> {
public:
    using awaited_datagram<Endpoint>::awaited_datagram;
    using outcome_awaiter<awaited_datagram_size>::await_resume;
    std::expected<std::size_t, std::error_code> outcome() noexcept {
        const auto received = awaited_datagram<Endpoint>::outcome();
        if (!received)
            return std::unexpected(received.error());
        return received->size;
    }
};

/// Awaits the sending of a datagram, to an endpoint or to the socket's peer.
class awaited_datagram_send : public io::awaited_operation<io::message_operation>,
                              public outcome_awaiter<awaited_datagram_send> {
public:
    awaited_datagram_send(datagram_state& state, std::span<const std::byte> bytes) noexcept;
    awaited_datagram_send(datagram_state& state, std::span<const std::byte> bytes,
                          const endpoint& to) noexcept;
    awaited_datagram_send(awaited_datagram_send&& other) noexcept;
    awaited_datagram_send& operator=(awaited_datagram_send&&) = delete;
    ~awaited_datagram_send() { withdraw_if_pending(); }

    bool await_ready() noexcept;
    void await_suspend(detail::suspension point) noexcept;
    std::expected<std::size_t, std::error_code> outcome() noexcept;
    [[nodiscard]] static const char* what() noexcept { return "send"; }

private:
    datagram_state& state_;
    const_buffer piece_;
    endpoint to_;
    bool has_peer_ = false;
    socket_use use_{*this};
};

}  // namespace detail
}  // namespace eddy
