#pragma once

#include "http/h2/http2_server_stream.hpp"

#include <eddy/core/task.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/io/endpoint.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace eddy::http {

/// The bytes of a stream as a byte_stream. The one that a handler takes over owns the stream together with the
/// connection; the one that reads a request's body does not.
class http2_stream_end {
public:
    enum class ownership : bool { none, shared };

    http2_stream_end(http2_server_stream& stream, ownership owns) noexcept
        : stream_(&stream), owns_(owns == ownership::shared) {
        if (owns_)
            stream.taken_over = this;
    }
    http2_stream_end(http2_stream_end&& other) noexcept
        : stream_(std::exchange(other.stream_, nullptr)), owns_(other.owns_) {
        if (stream_ != nullptr && owns_)
            stream_->taken_over = this;
    }
    http2_stream_end& operator=(http2_stream_end&&) = delete;
    ~http2_stream_end();

    [[nodiscard]] task<std::size_t> read(std::span<std::byte> out);
    [[nodiscard]] task<buffer_lease> read_leased();
    [[nodiscard]] task<http2_stream::received> read_leased_until(time_point deadline) {
        return stream_->receive(deadline);
    }
    [[nodiscard]] std::size_t try_read(std::span<std::byte> out) { return stream_->try_take(out); }
    [[nodiscard]] task<std::size_t> write(std::span<const std::byte> bytes) { return write_all(bytes); }
    [[nodiscard]] task<std::size_t> write_all(std::span<const std::byte> bytes);
    [[nodiscard]] task<std::size_t> write_all(std::span<const_buffer> buffers);
    [[nodiscard]] task<void> shutdown();
    /// Resets the stream unless both sides have ended it.
    void close() noexcept;
    void abort() noexcept { close(); }
    [[nodiscard]] std::optional<endpoint> local_endpoint() const;
    [[nodiscard]] std::optional<endpoint> remote_endpoint() const;

private:
    http2_server_stream* stream_;
    bool owns_;
};

}  // namespace eddy::http
