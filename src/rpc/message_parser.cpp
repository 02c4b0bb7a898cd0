#include "rpc/message_parser.hpp"

#include <eddy/rpc/detail/message_frame.hpp>
#include <eddy/rpc/status.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace eddy::rpc {
namespace {

constexpr std::size_t room_min = 4096;

}  // namespace

std::optional<message_parser::frame> message_parser::next() {
    if (held() < detail::frame_prefix_size)
        return std::nullopt;
    const std::byte* const prefix = memory_.get() + begin_;
    const auto flag = std::to_integer<unsigned>(prefix[0]);
    std::uint32_t length = 0;
    for (std::size_t at = 1; at < detail::frame_prefix_size; ++at)
        length = length << 8 | std::to_integer<std::uint32_t>(prefix[at]);
    if (flag > 1)
        throw error(status_code::internal, "a message with an unknown flag");
    if (length > message_bytes_max_)
        throw error(status_code::resource_exhausted, "a message of " + std::to_string(length) +
                                                         " bytes, over the limit of " +
                                                         std::to_string(message_bytes_max_));
    wanted_ = detail::frame_prefix_size + length;
    if (held() < wanted_)
        return std::nullopt;
    begin_ += wanted_;
    wanted_ = 0;
    return frame(flag == 1, {prefix + detail::frame_prefix_size, length});
}

std::span<std::byte> message_parser::room() {
    if (begin_ == end_)
        begin_ = end_ = 0;
    if (end_ == capacity_)
        make_room();
    return {memory_.get() + end_, capacity_ - end_};
}

void message_parser::make_room() {
    const std::size_t bytes = held();
    if (begin_ > capacity_ / 2) {
        std::memmove(memory_.get(), memory_.get() + begin_, bytes);
    } else {
        // Grows with what has come, and not to what a peer has announced.
        const std::size_t most = std::max(wanted_, bytes + room_min);
        const std::size_t capacity = std::max(room_min, std::min(2 * capacity_, most));
        std::unique_ptr<std::byte, memory_deleter> larger(
            static_cast<std::byte*>(eddy::detail::frame_cache::allocate(capacity)), memory_deleter{capacity});
        if (bytes != 0)
            std::memcpy(larger.get(), memory_.get() + begin_, bytes);
        memory_ = std::move(larger);
        capacity_ = capacity;
    }
    begin_ = 0;
    end_ = bytes;
}

}  // namespace eddy::rpc
