#pragma once

#include <eddy/http/websocket/detail/mask.hpp>
#include <eddy/http/websocket/detail/opcode.hpp>
#include <eddy/http/websocket/detail/role.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace eddy::http {

/// What stands before the payload of a frame (RFC 6455 section 5.2). A value.
class websocket_frame_header {
public:
    /// The longest: two bytes, a length of eight, a key of four.
    static constexpr std::size_t size_max = 14;

    websocket_frame_header() noexcept = default;
    websocket_frame_header(websocket_opcode code, std::uint64_t payload_bytes) noexcept
        : payload_bytes_(payload_bytes), opcode_(code) {}

    /// Whether it is the last frame of its message. It is, unless it is said.
    websocket_frame_header& final(bool is_final) noexcept { return is_final_ = is_final, *this; }
    /// Whether it begins a compressed message: the first reserved bit (RFC 7692 section 6).
    websocket_frame_header& compressed(bool is_compressed) noexcept {
        return is_compressed_ = is_compressed, *this;
    }
    /// Says that the payload is masked, with this key.
    websocket_frame_header& key(websocket_mask_key mask) noexcept {
        return key_ = mask, is_masked_ = true, *this;
    }

    [[nodiscard]] websocket_opcode opcode() const noexcept { return opcode_; }
    [[nodiscard]] std::uint64_t payload_bytes() const noexcept { return payload_bytes_; }
    [[nodiscard]] bool is_final() const noexcept { return is_final_; }
    [[nodiscard]] bool is_compressed() const noexcept { return is_compressed_; }
    [[nodiscard]] bool is_masked() const noexcept { return is_masked_; }
    /// Zeros if it is not masked.
    [[nodiscard]] websocket_mask_key key() const noexcept { return key_; }

private:
    std::uint64_t payload_bytes_ = 0;
    websocket_mask_key key_{};
    websocket_opcode opcode_ = websocket_opcode::continuation;
    bool is_final_ = true;
    bool is_compressed_ = false;
    bool is_masked_ = false;
};

enum class frame_parse_state : std::uint8_t { need_more, complete, error };

/// What parse_frame_header() returns.
class frame_parse_result {
public:
    /// More bytes are needed.
    frame_parse_result() noexcept = default;
    /// A string literal says what is wrong: the connection ends with 1002.
    explicit frame_parse_result(std::string_view reason) noexcept
        : reason_(reason), state_(frame_parse_state::error) {}
    frame_parse_result(const websocket_frame_header& header, std::size_t size) noexcept
        : header_(header), size_(size), state_(frame_parse_state::complete) {}

    [[nodiscard]] frame_parse_state state() const noexcept { return state_; }
    /// Requires: complete. So does size(): the bytes of the header.
    [[nodiscard]] const websocket_frame_header& header() const noexcept { return header_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Requires: error.
    [[nodiscard]] std::string_view reason() const noexcept { return reason_; }

private:
    websocket_frame_header header_;
    std::size_t size_ = 0;
    std::string_view reason_;
    frame_parse_state state_ = frame_parse_state::need_more;
};

/// Reads a frame's header from the front of `bytes`. Strict: reserved bits (the first one too, unless
/// `may_be_compressed`), reserved opcodes, control frames that are fragmented or larger than 125 bytes,
/// lengths in a longer form than they need or with the highest bit set, and frames whose masking does not fit
/// the receiver's role, are refused, each as soon as the byte is there that shows it.
[[nodiscard]] frame_parse_result parse_frame_header(std::span<const std::byte> bytes, websocket_role receiver,
                                                    bool may_be_compressed) noexcept;

/// Writes the header and returns its size.
std::size_t write_frame_header(const websocket_frame_header& header,
                               std::span<std::byte, websocket_frame_header::size_max> out) noexcept;

}  // namespace eddy::http
