#pragma once

#include <eddy/core/awaitable.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <span>

namespace eddy {

// Concepts of byte streams: read and written byte by byte, in order. Code that requires one of these works on
// a connection, on a pipe and in memory, and in tests without the system.

/// A source of bytes. `co_await source.read(out)` waits until there are some, puts at least one into `out`
/// and returns their number, or 0 at the end. Dropped, it loses nothing: the next read returns the bytes. One
/// read at a time. A read into an empty span returns 0 at once, and takes and disturbs nothing.
template <class T>
concept byte_source = requires(T& source, std::span<std::byte> out) {
    { source.read(out) } -> awaitable_of<std::size_t>;
};

/// A source that can also return bytes where they have arrived, in a buffer that it lends; an empty lease at
/// the end.
template <class T>
concept leasing_source = byte_source<T> && requires(T& source) {
    { source.read_leased() } -> awaitable_of<buffer_lease>;
};

/// A sink of bytes. `write()` takes at least one of the bytes and returns their number; `write_all()` takes
/// all, of one buffer or of several, whose array it may change. Dropped, an unknown number from the front may
/// have been taken. One write at a time, and it may happen at the same time as a read.
template <class T>
concept byte_sink = requires(T& sink, std::span<const std::byte> bytes, std::span<const_buffer> buffers) {
    { sink.write(bytes) } -> awaitable_of<std::size_t>;
    { sink.write_all(bytes) } -> awaitable_of<std::size_t>;
    { sink.write_all(buffers) } -> awaitable_of<std::size_t>;
};

/// A sink whose `write()` takes some of several buffers.
template <class T>
concept vectored_sink = byte_sink<T> && requires(T& sink, std::span<const_buffer> buffers) {
    { sink.write(buffers) } -> awaitable_of<std::size_t>;
};

/// A source and a sink that are connected with a peer. `shutdown()` ends the sending half: the other end
/// reads what was written, then the end. `close()` ends both halves at once.
template <class T>
concept byte_stream = byte_source<T> && byte_sink<T> && requires(T& stream) {
    { stream.shutdown() } -> awaitable;
    stream.close();
};

}  // namespace eddy
