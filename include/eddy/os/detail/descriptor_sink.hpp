#pragma once

#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/owned_state.hpp>
#include <eddy/os/detail/descriptor_stream.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace eddy::detail {

/// What all have that write to a descriptor which is no socket.
class descriptor_sink {
public:
    /// Writes some of the bytes. Returns their number. Dropped: an unknown number, from the front, may have
    /// been written. Requires: `bytes` stays until then.
    [[nodiscard]] descriptor_write write(std::span<const std::byte> bytes) noexcept {
        return {here(), bytes, false};
    }
    /// Writes all the bytes. Returns their number. Dropped: as write().
    [[nodiscard]] descriptor_write write_all(std::span<const std::byte> bytes) noexcept {
        return {here(), bytes, true};
    }
    /// Writes all the bytes of several buffers, each with a call of its own. Returns their number. Dropped:
    /// as write(). Requires: also the array stays until then.
    [[nodiscard]] descriptor_write write_all(std::span<const_buffer> buffers) noexcept {
        return {here(), buffers};
    }

protected:
    explicit descriptor_sink(std::unique_ptr<descriptor_stream> stream) noexcept
        : stream_(std::move(stream)) {}

    [[nodiscard]] descriptor_stream& state() const noexcept { return owned_state(stream_); }
    /// The same for an operation, on the stream's worker.
    [[nodiscard]] descriptor_stream& here() const noexcept { return owned_here(stream_); }

    std::unique_ptr<descriptor_stream> stream_;
};

}  // namespace eddy::detail
