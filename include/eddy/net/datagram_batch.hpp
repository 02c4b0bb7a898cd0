#pragma once

#include <eddy/detail/assert.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/io/message.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace eddy {

/// A datagram to send. Refers to its bytes.
class outgoing_datagram {
public:
    /// To the socket's peer.
    explicit outgoing_datagram(std::span<const std::byte> sent) noexcept : bytes(sent) {}
    outgoing_datagram(std::span<const std::byte> sent, const endpoint& receiver) noexcept
        : bytes(sent), to(receiver), has_receiver(true) {}

    /// What is sent; the caller keeps it until then.
    std::span<const std::byte> bytes;
    /// The receiver.
    endpoint to;
    /// Whether `to` is set; a connected socket needs none.
    bool has_receiver = false;
};

/// Memory for datagrams that are received together, to be used again and again.
///
/// Ownership: owns its memory; moves, does not copy. Thread safety: none of its own.
class datagram_batch {
public:
    /// How many are received at once at the most.
    static constexpr std::size_t count_max = 64;

    /// Room for `count` datagrams of up to `bytes` each; with GRO a datagram can be 65,507 bytes that hold
    /// several. Throws std::bad_alloc. Requires: 0 < count <= count_max, bytes > 0.
    datagram_batch(std::size_t count, std::size_t bytes);
    datagram_batch(datagram_batch&&) noexcept = default;
    datagram_batch& operator=(datagram_batch&&) noexcept = default;
    ~datagram_batch() = default;

    /// How many the last receive has brought.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Whether there is no datagram.
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

    /// The datagrams, from 0 to size() - 1.
    [[nodiscard]] std::span<const std::byte> bytes(std::size_t index) const noexcept {
        return {memory_.data() + index * bytes_each_, message(index).transferred};
    }
    /// The sender of a datagram.
    [[nodiscard]] const endpoint& from(std::size_t index) const noexcept { return froms_[index]; }
    /// Whether a datagram was longer than its memory.
    [[nodiscard]] bool is_truncated(std::size_t index) const noexcept { return message(index).is_truncated; }
    /// Not 0: several datagrams came together, all but the last of this size.
    [[nodiscard]] std::uint16_t segment_bytes(std::size_t index) const noexcept {
        return message(index).segment_bytes_received;
    }

    /// For machinery that fills it: the messages, and how many of them have been filled then.
    [[nodiscard]] std::span<io::message> messages() noexcept { return {messages_.data(), messages_.size()}; }
    /// How many datagrams there are; called by what receives.
    void set_size(std::size_t count) noexcept { size_ = count; }
    /// Takes over one datagram that was received before. Returns 1.
    std::size_t take(std::span<const std::byte> bytes, const endpoint& from, bool was_truncated,
                     std::uint16_t segment_bytes) noexcept;

private:
    [[nodiscard]] const io::message& message(std::size_t index) const noexcept {
        EDDY_ASSERT(index < size_, "a batch has no more datagrams than its size");
        return messages_[index];
    }

    std::size_t bytes_each_;
    std::size_t size_ = 0;
    std::vector<std::byte> memory_;
    std::vector<endpoint> froms_;
    std::vector<const_buffer> pieces_;
    std::vector<io::message> messages_;
};

}  // namespace eddy
