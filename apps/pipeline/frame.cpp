#include "pipeline/frame.hpp"

#include <algorithm>
#include <system_error>

namespace eddy::apps {

namespace {

constexpr std::uint32_t body_bytes = 16;

template <class Integer>
char* write_integer(char* to, Integer value) {
    for (std::size_t byte = 0; byte < sizeof value; ++byte)
        *to++ = static_cast<char>(value >> (8 * byte));
    return to;
}

template <class Integer>
Integer parse_integer(std::span<const std::byte> from) {
    Integer value = 0;
    for (std::size_t byte = 0; byte < sizeof value; ++byte)
        value |= std::to_integer<Integer>(from[byte]) << (8 * byte);
    return value;
}

}  // namespace

void frame::append_to(std::string& out) const {
    std::array<char, bytes> written;
    write_integer(write_integer(write_integer(written.data(), body_bytes), id), value);
    out.append(written.data(), written.size());
}

frame frame::parse(std::span<const std::byte, bytes> from) {
    if (parse_integer<std::uint32_t>(from.first<4>()) != body_bytes)
        throw std::system_error(std::make_error_code(std::errc::bad_message), "a frame");
    return {parse_integer<std::uint64_t>(from.subspan<4, 8>()),
            parse_integer<std::uint64_t>(from.subspan<12, 8>())};
}

std::span<const std::byte> frame_reader::complete(std::span<const std::byte> arrived) noexcept {
    const std::size_t taken = std::min(arrived.size(), frame::bytes - kept_);
    std::ranges::copy(arrived.first(taken), beginning_.begin() + static_cast<std::ptrdiff_t>(kept_));
    kept_ += taken;
    return arrived.subspan(taken);
}

}  // namespace eddy::apps
