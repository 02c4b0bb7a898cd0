#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http::test {

/// A frame as it is on the wire (RFC 9113 section 4.1). It has a constructor, since g++ 12 destroys an aggregate twice that is
/// made in an awaited call.
struct frame {
    frame(std::uint8_t the_type, std::uint8_t the_flags, std::int32_t the_id, std::string the_payload)
        : type(the_type), flags(the_flags), id(the_id), payload(std::move(the_payload)) {}

    std::uint8_t type;
    std::uint8_t flags;
    std::int32_t id;
    std::string payload;
};

inline std::string number(std::uint64_t value, int bytes) {
    std::string text;
    while (bytes-- > 0)
        text += static_cast<char>(value >> (8 * bytes) & 0xff);
    return text;
}
inline std::uint32_t number_in(std::string_view bytes) {
    std::uint32_t value = 0;
    for (const char byte : bytes.substr(0, 4))
        value = value << 8 | static_cast<std::uint8_t>(byte);
    return value;
}

inline std::string text_of(const frame& made) {
    return number(made.payload.size(), 3) + static_cast<char>(made.type) + static_cast<char>(made.flags) +
           number(static_cast<std::uint32_t>(made.id), 4) + made.payload;
}

inline constexpr std::size_t frame_head_bytes = 9;
inline constexpr std::uint8_t type_data = 0;
inline constexpr std::uint8_t type_headers = 1;
inline constexpr std::uint8_t type_reset = 3;
inline constexpr std::uint8_t type_settings = 4;
inline constexpr std::uint8_t flag_end_stream = 1;
inline constexpr std::uint8_t flag_end_headers = 4;

/// The size of the payload of a frame that begins here.
inline std::size_t size_in(std::string_view bytes) {
    return number_in(bytes) >> 8;
}

using fields = std::vector<std::pair<std::string, std::string>>;

/// A header block of literals without indexing, whose lengths are below 127 (RFC 7541 section 6.2.2); longer ones
/// take two more bytes.
inline std::string header_block(const fields& lines) {
    const auto length = [](std::size_t size) {
        std::string text;
        if (size < 127)
            return text += static_cast<char>(size);
        text += '\x7f';
        for (size -= 127; size >= 128; size /= 128)
            text += static_cast<char>(128 + size % 128);
        return text += static_cast<char>(size);
    };
    std::string block;
    for (const auto& [name, value] : lines)
        block += '\0' + length(name.size()) + name + length(value.size()) + value;
    return block;
}

inline fields get(const std::string& path, fields more = {}) {
    fields made = {{":method", "GET"}, {":scheme", "http"}, {":authority", "x"}, {":path", path}};
    made.insert(made.end(), more.begin(), more.end());
    return made;
}
// Rather than a list of several in an awaited call, whose array g++ 12 cannot keep.
inline fields with(fields lines, const std::string& name, const std::string& value) {
    lines.emplace_back(name, value);
    return lines;
}
inline fields post(const std::string& path, fields more = {}) {
    fields made = get(path, std::move(more));
    made[0].second = "POST";
    return made;
}

/// A request without a body.
inline std::string request_frame(std::int32_t id, const fields& lines) {
    return text_of({type_headers, flag_end_headers | flag_end_stream, id, header_block(lines)});
}

}  // namespace eddy::http::test
