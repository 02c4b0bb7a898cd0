#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/detail/splice_end.hpp>
#include <eddy/stream/detail/splice_pipe.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace eddy {

namespace detail {

/// Whether the system can move the bytes by itself.
template <class From, class To>
concept spliceable = spliceable_source<From> && spliceable_sink<To>;

template <class From, class To>
concept unspliceable = !spliceable<From, To>;

inline constexpr std::size_t copy_buffer_bytes = 65'536;

/// Memory for a copy, made when it is needed.
class copy_buffer {
public:
    [[nodiscard]] std::span<std::byte> bytes() {
        if (memory_ == nullptr)
            memory_ = std::make_unique_for_overwrite<std::byte[]>(copy_buffer_bytes);
        return {memory_.get(), copy_buffer_bytes};
    }

private:
    std::unique_ptr<std::byte[]> memory_;
};

}  // namespace detail

/// Writes to `to` what comes from `from`, up to its end. Returns the number of bytes. Neither is closed, nor
/// flushed.
///
/// - Ownership: both are the caller's and stay until then.
/// - Cancellation and errors: what has been read and not written, 64 KiB at the most, is lost when it is
///   dropped or when `to` fails, unless `from` is a buffered_reader: then it stays there; or a file, whose
///   position shows what was written.
/// - Cost: between connections, pipes and files of this library the kernel moves the bytes (splice), through
///   a pipe that is made for the call. Bytes that wait in the stream itself or come into buffers for
///   read_leased(), and those that the kernel refuses to move, are written from where they have arrived if
///   the source lends its buffers or is a buffered_reader; else through one buffer of 64 KiB, allocated for
///   the call.
template <byte_source From, byte_sink To>
    requires detail::unspliceable<From, To>
[[nodiscard]] task<std::uint64_t> copy(From& from, To& to) {
    detail::copy_buffer memory;
    std::uint64_t copied = 0;
    for (;;) {
        const std::size_t count = co_await from.read(memory.bytes());
        if (count == 0)
            co_return copied;
        co_await to.write_all(std::span<const std::byte>(memory.bytes().first(count)));
        copied += count;
    }
}

template <leasing_source From, byte_sink To>
    requires detail::unspliceable<From, To>
[[nodiscard]] task<std::uint64_t> copy(From& from, To& to) {
    std::uint64_t copied = 0;
    for (;;) {
        const buffer_lease arrived = co_await from.read_leased();
        if (arrived.empty())
            co_return copied;
        co_await to.write_all(arrived.bytes());
        copied += arrived.size();
    }
}

template <class From, class To>
    requires detail::spliceable<From, To>
[[nodiscard]] task<std::uint64_t> copy(From& from, To& to) {
    detail::splice_pipe passage;
    detail::copy_buffer memory;
    std::uint64_t copied = 0;
    for (;;) {
        const auto source = from.splice_source();
        const auto sink = to.splice_sink();
        if (source && sink && !passage.is_refused()) {
            const std::uint64_t count = co_await passage.pass(*source, *sink);
            copied += count;
            if (count == 0 && !passage.is_refused())
                co_return copied;
        } else {
            std::size_t count = 0;
            if (passage.remaining() > 0)
                count = co_await passage.read_back(memory.bytes());
            else
                count = co_await from.read(memory.bytes());
            if (count == 0)
                co_return copied;
            co_await to.write_all(std::span<const std::byte>(memory.bytes().first(count)));
            copied += count;
        }
    }
}

template <class Source, byte_sink To>
[[nodiscard]] task<std::uint64_t> copy(buffered_reader<Source>& from, To& to) {
    std::uint64_t copied = 0;
    for (;;) {
        const std::span<const std::byte> there = co_await from.peek(1);
        if (there.empty())
            co_return copied;
        const std::size_t count = co_await to.write(there);
        co_await from.skip(count);
        copied += count;
    }
}

}  // namespace eddy
