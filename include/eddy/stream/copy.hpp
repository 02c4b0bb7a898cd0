#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/byte_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace eddy {

/// Writes to `to` what comes from `from`, up to its end; gives the number of bytes. Neither is closed, nor
/// flushed.
///
/// - Ownership: both are the caller's and stay until then.
/// - Cancellation and errors: what has been read and not written is lost when it is dropped or when `to`
/// fails,
///   unless `from` is a buffered_reader: then it stays there.
/// - Cost: bytes go from where they arrive if the source lends its buffers or is a buffered_reader; else
/// through
///   one buffer of 64 KiB, allocated for the call.
template <byte_source From, byte_sink To>
[[nodiscard]] task<std::uint64_t> copy(From& from, To& to) {
    constexpr std::size_t buffer_bytes = 65'536;
    const auto memory = std::make_unique_for_overwrite<std::byte[]>(buffer_bytes);
    std::uint64_t copied = 0;
    for (;;) {
        const std::size_t count = co_await from.read(std::span(memory.get(), buffer_bytes));
        if (count == 0)
            co_return copied;
        co_await to.write_all(std::span<const std::byte>(memory.get(), count));
        copied += count;
    }
}

template <leasing_source From, byte_sink To>
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
