#include "rpc/incoming_messages.hpp"

#include "rpc/message_coding.hpp"

#include <eddy/io/buffer.hpp>

namespace eddy::rpc {

std::optional<std::span<const std::byte>> incoming_messages::next() {
    const auto frame = parser_.next();
    if (!frame)
        return std::nullopt;
    was_compressed_ = frame->is_compressed();
    if (!was_compressed_)
        return frame->message();
    decompress(frame->message(), compression_, message_bytes_max_, decompressed_);
    return as_bytes(decompressed_);
}

}  // namespace eddy::rpc
