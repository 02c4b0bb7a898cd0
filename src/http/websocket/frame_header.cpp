#include <eddy/http/websocket/detail/frame_header.hpp>

#include <algorithm>

namespace eddy::http {

namespace {

constexpr std::uint8_t final_bit = 0x80;
constexpr std::uint8_t compressed_bit = 0x40;
constexpr std::uint8_t reserved_bits = 0x30;
constexpr std::uint8_t mask_bit = 0x80;
constexpr std::uint8_t length_of_16_bits = 126;
constexpr std::uint8_t length_of_64_bits = 127;
constexpr std::uint64_t control_bytes_max = 125;

std::uint8_t byte_at(std::span<const std::byte> bytes, std::size_t at) noexcept {
    return static_cast<std::uint8_t>(bytes[at]);
}

std::uint64_t number_at(std::span<const std::byte> bytes, std::size_t at, std::size_t size) noexcept {
    std::uint64_t number = 0;
    for (std::size_t end = at + size; at < end; ++at)
        number = number << 8 | byte_at(bytes, at);
    return number;
}

std::string_view first_byte_error(std::uint8_t first, bool may_be_compressed) noexcept {
    const std::uint8_t bits = first & 0x0f;
    if ((first & reserved_bits) != 0)
        return "a reserved bit is set";
    if (!is_opcode(bits))
        return "a reserved opcode";
    const auto code = static_cast<websocket_opcode>(bits);
    if ((first & compressed_bit) != 0 &&
        (!may_be_compressed || is_control(code) || code == websocket_opcode::continuation))
        return "the bit of compressed messages is set where it must not be";
    if (is_control(code) && (first & final_bit) == 0)
        return "a fragmented control frame";
    return {};
}

std::string_view second_byte_error(websocket_opcode code, std::uint8_t second,
                                   websocket_role receiver) noexcept {
    const bool is_masked = (second & mask_bit) != 0;
    if (receiver == websocket_role::server && !is_masked)
        return "a client's frame is not masked";
    if (receiver == websocket_role::client && is_masked)
        return "a server's frame is masked";
    if (is_control(code) && (second & ~mask_bit) > control_bytes_max)
        return "a control frame of more than 125 bytes";
    return {};
}

std::size_t length_bytes(std::uint8_t short_length) noexcept {
    if (short_length == length_of_16_bits)
        return 2;
    return short_length == length_of_64_bits ? 8 : 0;
}

std::string_view length_error(std::uint64_t length, std::size_t form_bytes) noexcept {
    if ((form_bytes == 2 && length < length_of_16_bits) || (form_bytes == 8 && length <= 0xffff))
        return "a length in a longer form than it needs";
    if (length >> 63 != 0)
        return "a length with its highest bit set";
    return {};
}

}  // namespace

frame_parse_result parse_frame_header(std::span<const std::byte> bytes, websocket_role receiver,
                                      bool may_be_compressed) noexcept {
    if (bytes.empty())
        return {};
    const std::uint8_t first = byte_at(bytes, 0);
    if (const auto wrong = first_byte_error(first, may_be_compressed); !wrong.empty())
        return frame_parse_result(wrong);
    if (bytes.size() < 2)
        return {};
    const auto code = static_cast<websocket_opcode>(first & 0x0f);
    const std::uint8_t second = byte_at(bytes, 1);
    if (const auto wrong = second_byte_error(code, second, receiver); !wrong.empty())
        return frame_parse_result(wrong);

    const auto short_length = static_cast<std::uint8_t>(second & ~mask_bit);
    const std::size_t form_bytes = length_bytes(short_length);
    if (bytes.size() < 2 + form_bytes)
        return {};
    std::uint64_t length = short_length;
    if (form_bytes != 0) {
        length = number_at(bytes, 2, form_bytes);
        if (const auto wrong = length_error(length, form_bytes); !wrong.empty())
            return frame_parse_result(wrong);
    }
    websocket_frame_header header(code, length);
    header.final((first & final_bit) != 0).compressed((first & compressed_bit) != 0);
    std::size_t size = 2 + form_bytes;
    if ((second & mask_bit) != 0) {
        websocket_mask_key key{};
        if (bytes.size() < size + key.size())
            return {};
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(size), key.size(), key.begin());
        header.key(key);
        size += key.size();
    }
    return {header, size};
}

std::size_t write_frame_header(const websocket_frame_header& header,
                               std::span<std::byte, websocket_frame_header::size_max> out) noexcept {
    const std::uint64_t length = header.payload_bytes();
    std::uint8_t short_length = length_of_64_bits;
    if (length < length_of_16_bits)
        short_length = static_cast<std::uint8_t>(length);
    else if (length <= 0xffff)
        short_length = length_of_16_bits;
    out[0] = static_cast<std::byte>(static_cast<std::uint8_t>(header.opcode()) |
                                    (header.is_final() ? final_bit : 0) |
                                    (header.is_compressed() ? compressed_bit : 0));
    out[1] = static_cast<std::byte>(short_length | (header.is_masked() ? mask_bit : 0));
    std::size_t size = 2;
    for (std::size_t left = length_bytes(short_length); left-- != 0;)
        out[size++] = static_cast<std::byte>(length >> (8 * left));
    if (header.is_masked())
        for (const std::byte byte : header.key())
            out[size++] = byte;
    return size;
}

}  // namespace eddy::http
