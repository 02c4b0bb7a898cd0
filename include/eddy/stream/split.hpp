#pragma once

#include <eddy/io/buffer.hpp>
#include <eddy/stream/byte_stream.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace eddy {

/// The receiving half of a stream, made by split(): a byte_source.
///
/// Ownership, thread safety, cancellation and errors are those of the stream and its operations.
template <byte_stream Stream>
class read_half {
public:
    /// As the stream's read().
    [[nodiscard]] auto read(std::span<std::byte> out) { return stream_->read(out); }
    /// As the stream's read_leased().
    [[nodiscard]] auto read_leased()
        requires leasing_source<Stream>
    {
        return stream_->read_leased();
    }
    /// The whole, which belongs to both halves.
    [[nodiscard]] Stream& stream() const noexcept { return *stream_; }

private:
    template <byte_stream Whole>
    friend class stream_halves;
    explicit read_half(std::shared_ptr<Stream> stream) noexcept : stream_(std::move(stream)) {}

    std::shared_ptr<Stream> stream_;
};

/// The sending half of a stream, made by split(): a byte_sink. It does not end the sending half of the stream
/// when it is destroyed: shutdown() does.
template <byte_stream Stream>
class write_half {
public:
    /// As the stream's write().
    [[nodiscard]] auto write(std::span<const std::byte> bytes) { return stream_->write(bytes); }
    [[nodiscard]] auto write(std::span<const_buffer> buffers)
        requires vectored_sink<Stream>
    {
        return stream_->write(buffers);
    }
    /// As the stream's write_all().
    [[nodiscard]] auto write_all(std::span<const std::byte> bytes) { return stream_->write_all(bytes); }
    [[nodiscard]] auto write_all(std::span<const_buffer> buffers) { return stream_->write_all(buffers); }
    /// As the stream's shutdown().
    [[nodiscard]] auto shutdown() { return stream_->shutdown(); }
    /// The stream that both halves share.
    [[nodiscard]] Stream& stream() const noexcept { return *stream_; }

private:
    template <byte_stream Whole>
    friend class stream_halves;
    explicit write_half(std::shared_ptr<Stream> stream) noexcept : stream_(std::move(stream)) {}

    std::shared_ptr<Stream> stream_;
};

/// Both halves of a stream, to be moved out.
template <byte_stream Stream>
class stream_halves {
public:
    /// Both share the stream.
    explicit stream_halves(const std::shared_ptr<Stream>& stream) noexcept : reader(stream), writer(stream) {}

    /// What reads.
    read_half<Stream> reader;
    /// What writes.
    write_half<Stream> writer;
};

/// Makes two objects of a stream, one to read and one to write, for two tasks of the stream's worker. The
/// stream is closed when both are gone. Throws std::bad_alloc.
template <byte_stream Stream>
[[nodiscard]] stream_halves<Stream> split(Stream&& stream) {
    return stream_halves<Stream>(std::make_shared<Stream>(std::forward<Stream>(stream)));
}

/// The same for a stream that outlives both halves, and is not closed by them. Allocates nothing.
template <byte_stream Stream>
[[nodiscard]] stream_halves<Stream> split(Stream& stream) noexcept {
    return stream_halves<Stream>(std::shared_ptr<Stream>(std::shared_ptr<void>(), &stream));
}

}  // namespace eddy
