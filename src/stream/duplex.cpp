#include <eddy/stream/duplex.hpp>

namespace eddy {

void duplex_stream::close() noexcept {
    if (channels_ == nullptr || is_closed_)
        return;
    is_closed_ = true;
    outgoing().end();
    incoming().refuse();
}

std::pair<duplex_stream, duplex_stream> duplex(std::size_t capacity_bytes) {
    auto channels = std::make_shared<detail::duplex_channels>(capacity_bytes);
    duplex_stream first(channels, true);
    return {std::move(first), duplex_stream(std::move(channels), false)};
}

}  // namespace eddy
