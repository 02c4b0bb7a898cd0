#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/byte_stream.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace eddy::detail {

/// The pass-through part of a stream around another one: Derived adds read() and write(), and refers to the
/// other stream (`Stream` is a reference then) or owns it.
template <class Derived, class Stream>
class stream_adaptor {
public:
    using stream_type = std::remove_reference_t<Stream>;

    /// See byte_sink.
    [[nodiscard]] task<std::size_t> write_all(std::span<const std::byte> bytes)
        requires byte_sink<stream_type>
    {
        for (std::span<const std::byte> left = bytes; !left.empty();)
            left = left.subspan(co_await static_cast<Derived*>(this)->write(left));
        co_return bytes.size();
    }
    [[nodiscard]] task<std::size_t> write_all(std::span<const_buffer> buffers)
        requires byte_sink<stream_type>
    {
        std::size_t count = 0;
        for (const const_buffer& each : buffers)
            count += co_await write_all(
                std::span<const std::byte>(static_cast<const std::byte*>(each.data()), each.size()));
        co_return count;
    }

    /// See byte_stream.
    [[nodiscard]] auto shutdown()
        requires byte_stream<stream_type>
    {
        return stream_.shutdown();
    }
    void close()
        requires byte_stream<stream_type>
    {
        stream_.close();
    }
    [[nodiscard]] stream_type& stream() noexcept { return stream_; }

protected:
    explicit stream_adaptor(Stream&& stream) noexcept(std::is_nothrow_constructible_v<Stream, Stream&&>)
        : stream_(std::forward<Stream>(stream)) {}

private:
    Stream stream_;
};

}  // namespace eddy::detail
