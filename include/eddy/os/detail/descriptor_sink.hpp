#pragma once

#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/owned_state.hpp>
#include <eddy/os/detail/polled_stream.hpp>
#include <eddy/stream/detail/descriptor_write.hpp>

#include <cstddef>
#include <span>

namespace eddy::detail {

/// What all have that write to a descriptor which is no socket.
class descriptor_sink : public state_owner<polled_stream> {
public:
    /// Writes some of the bytes. Returns their number. Dropped: an unknown number, from the front, may have
    /// been written. Requires: `bytes` stays until then.
    [[nodiscard]] plain_write write(std::span<const std::byte> bytes) noexcept {
        return {here(), bytes.data(), bytes.size(), false};
    }
    /// Writes all the bytes. Returns their number. Dropped: as write().
    [[nodiscard]] plain_write write_all(std::span<const std::byte> bytes) noexcept {
        return {here(), bytes.data(), bytes.size(), true};
    }
    /// Writes all the bytes of several buffers, each with a call of its own. Returns their number. Dropped:
    /// as write(). Requires: also the array stays until then.
    [[nodiscard]] plain_write write_all(std::span<const_buffer> buffers) noexcept {
        return {here(), buffers};
    }

protected:
    using state_owner::state_owner;
};

}  // namespace eddy::detail
