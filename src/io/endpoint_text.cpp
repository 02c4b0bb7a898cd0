#include <eddy/io/detail/endpoint_text.hpp>

#include <charconv>
#include <cstddef>
#include <system_error>

namespace eddy::detail {

std::optional<std::uint16_t> port_from_text(std::string_view text) noexcept {
    std::uint16_t port = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, port);
    return error == std::errc() && stop == end ? std::optional(port) : std::nullopt;
}

std::expected<endpoint, std::string_view> endpoint_from_text(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos)
        return std::unexpected("an address without a port");
    const auto port = port_from_text(text.substr(colon + 1));
    if (!port)
        return std::unexpected("the port is no number up to 65535");
    const auto at = endpoint::parse(text.substr(0, colon), *port);
    if (!at)
        return std::unexpected("the address is not numeric");
    return *at;
}

}  // namespace eddy::detail
