#pragma once

#include <eddy/io/buffer.hpp>
#include <eddy/os/descriptor_stream.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace eddy::detail {

/// What all have that write to a descriptor which is no socket.
class descriptor_sink {
public:
    /// Writes some of the bytes; gives their number. Dropped: an unknown number, from the front, may have
    /// been written. Requires: `bytes` stays until then.
    [[nodiscard]] descriptor_write write(std::span<const std::byte> bytes) noexcept {
        return {*stream_, bytes, false};
    }
    /// Writes all the bytes; gives their number. Dropped: as write().
    [[nodiscard]] descriptor_write write_all(std::span<const std::byte> bytes) noexcept {
        return {*stream_, bytes, true};
    }
    /// Writes all the bytes of several buffers, each with a call of its own; gives their number. Dropped: as
    /// write(). Requires: also the array stays until then.
    [[nodiscard]] descriptor_write write_all(std::span<const_buffer> buffers) noexcept {
        return {*stream_, buffers};
    }

protected:
    explicit descriptor_sink(std::unique_ptr<descriptor_stream> stream) noexcept
        : stream_(std::move(stream)) {}

    std::unique_ptr<descriptor_stream> stream_;
};

}  // namespace eddy::detail
