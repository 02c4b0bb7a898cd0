#include <eddy/net/datagram_batch.hpp>

#include <algorithm>

namespace eddy {

datagram_batch::datagram_batch(std::size_t count, std::size_t bytes)
    : bytes_each_(bytes), memory_(count * bytes), froms_(count), pieces_(count), messages_(count) {
    EDDY_ASSERT(count > 0 && count <= count_max && bytes > 0, "a batch has space for a datagram");
    for (std::size_t index = 0; index < count; ++index) {
        pieces_[index] = const_buffer(std::span<const std::byte>(memory_).subspan(index * bytes, bytes));
        messages_[index].buffers = std::span(&pieces_[index], 1);
        messages_[index].peer = &froms_[index];
        messages_[index].wants_segments = true;
    }
}

std::size_t datagram_batch::take(std::span<const std::byte> bytes, const endpoint& from, bool was_truncated,
                                 std::uint16_t segment_bytes) noexcept {
    const std::size_t size = std::min(bytes.size(), bytes_each_);
    std::ranges::copy(bytes.first(size), memory_.begin());
    froms_.front() = from;
    messages_.front().transferred = size;
    messages_.front().is_truncated = was_truncated || size < bytes.size();
    messages_.front().segment_bytes_received = segment_bytes;
    return size_ = 1;
}

}  // namespace eddy
