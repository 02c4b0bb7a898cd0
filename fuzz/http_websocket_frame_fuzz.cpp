// What is read as a frame's header is written the same way, and no byte too much is asked for.

#include "check.hpp"

#include <eddy/http/websocket/detail/frame_header.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eddy::http;
    if (size == 0)
        return 0;
    const auto receiver = (data[0] & 1) != 0 ? websocket_role::server : websocket_role::client;
    const bool may_be_compressed = (data[0] & 2) != 0;
    const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
    const frame_parse_result parsed = parse_frame_header(bytes, receiver, may_be_compressed);
    for (std::size_t cut = 0; cut < std::min(bytes.size(), websocket_frame_header::size_max); ++cut) {
        const frame_parse_result part = parse_frame_header(bytes.first(cut), receiver, may_be_compressed);
        EDDY_FUZZ_CHECK(part.state() == frame_parse_state::need_more || part.state() == parsed.state());
        EDDY_FUZZ_CHECK(part.state() != frame_parse_state::complete || cut >= parsed.size());
    }
    if (parsed.state() == frame_parse_state::need_more)
        EDDY_FUZZ_CHECK(bytes.size() < websocket_frame_header::size_max);
    if (parsed.state() != frame_parse_state::complete)
        return 0;
    std::array<std::byte, websocket_frame_header::size_max> written{};
    const std::size_t written_size = write_frame_header(parsed.header(), written);
    EDDY_FUZZ_CHECK(written_size == parsed.size());
    EDDY_FUZZ_CHECK(std::ranges::equal(std::span(written).first(written_size), bytes.first(written_size)));
    EDDY_FUZZ_CHECK(parsed.header().is_masked() == (receiver == websocket_role::server));
    return 0;
}
