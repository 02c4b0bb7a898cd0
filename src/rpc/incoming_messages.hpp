#pragma once

#include "rpc/message_parser.hpp"

#include <eddy/rpc/compression.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace eddy::rpc {

/// The messages of a body, as their sender has encoded them.
class incoming_messages {
public:
    explicit incoming_messages(std::size_t message_bytes_max) noexcept
        : parser_(message_bytes_max), message_bytes_max_(message_bytes_max) {}

    /// How messages are compressed that say that they are.
    void set_compression(compression way) noexcept { compression_ = way; }

    /// The next message that is whole, decompressed; valid until the next call, or that of room(). Throws rpc::error for
    /// one that is malformed or too large.
    [[nodiscard]] std::optional<std::span<const std::byte>> next();
    /// Whether the message that was returned last was compressed.
    [[nodiscard]] bool was_compressed() const noexcept { return was_compressed_; }

    /// As message_parser's.
    [[nodiscard]] std::span<std::byte> room() { return parser_.room(); }
    void add(std::size_t bytes) noexcept { parser_.add(bytes); }
    [[nodiscard]] bool is_within_frame() const noexcept { return parser_.is_within_frame(); }

private:
    message_parser parser_;
    std::string decompressed_;
    std::size_t message_bytes_max_;
    compression compression_ = compression::identity;
    bool was_compressed_ = false;
};

}  // namespace eddy::rpc
