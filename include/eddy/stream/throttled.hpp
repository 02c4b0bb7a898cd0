#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/detail/stream_adaptor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace eddy {

/// How many bytes may go by: a number a second, and what was not used before, up to a burst. It holds a time,
/// not a count: that at which all that has been taken will have been earned.
///
/// Thread safety: none.
class byte_rate {
public:
    /// Requires: neither is 0.
    byte_rate(std::uint64_t bytes_per_s, std::size_t burst_bytes) noexcept
        : bytes_per_s_(bytes_per_s), burst_bytes_(burst_bytes) {
        EDDY_ASSERT(bytes_per_s != 0 && burst_bytes != 0, "a rate lets something through");
    }

    /// How many bytes may go at once.
    [[nodiscard]] std::size_t burst_bytes() const noexcept { return burst_bytes_; }

    /// How many bytes may go by at once.
    [[nodiscard]] std::size_t available(time_point now) const noexcept;
    /// When so many may. Requires: count <= burst_bytes().
    [[nodiscard]] time_point available_at(std::size_t count) const noexcept;
    /// Counts bytes that go by.
    void take(std::size_t count, time_point now) noexcept;

private:
    [[nodiscard]] duration time_for(std::size_t count) const noexcept;

    std::uint64_t bytes_per_s_;
    std::size_t burst_bytes_;
    time_point earned_at_ = time_point::min();
};

/// A stream that is read and written no faster than by a rate, each direction by its own.
///
/// - Ownership: `throttled(stream, ...)` refers to a stream that outlives it, `throttled(std::move(s), ...)`
///   owns it.
/// - Thread safety, cancellation and errors: those of the stream. A wait for the rate may be dropped too; a
///   dropped write counts for nothing.
/// - Cost: a coroutine frame for each operation, and a timer when it has to wait.
template <class Stream>
class throttled : public detail::stream_adaptor<throttled<Stream>, Stream> {
    using adaptor = detail::stream_adaptor<throttled<Stream>, Stream>;

public:
    using typename adaptor::stream_type;

    /// Takes over the stream, or refers to it if it is an lvalue.
    throttled(Stream&& stream, byte_rate receiving, byte_rate sending)
        : adaptor(std::forward<Stream>(stream)), receiving_(receiving), sending_(sending) {}

    /// See byte_source.
    [[nodiscard]] task<std::size_t> read(std::span<std::byte> out)
        requires byte_source<stream_type>
    {
        const std::size_t allowed = co_await wait_for(receiving_, out.size());
        const std::size_t count = co_await this->stream().read(out.first(allowed));
        receiving_.take(count, now());
        co_return count;
    }

    /// See byte_sink.
    [[nodiscard]] task<std::size_t> write(std::span<const std::byte> bytes)
        requires byte_sink<stream_type>
    {
        const std::size_t allowed = co_await wait_for(sending_, bytes.size());
        const std::size_t count = co_await this->stream().write(bytes.first(allowed));
        sending_.take(count, now());
        co_return count;
    }

private:
    [[nodiscard]] static time_point now() noexcept { return worker::current().now(); }

    /// Waits until a piece of worthwhile size may pass. Returns its size.
    static task<std::size_t> wait_for(byte_rate& rate, std::size_t wanted) {
        constexpr std::size_t pieces_a_burst = 8;
        const std::size_t piece =
            std::min(wanted, std::max<std::size_t>(rate.burst_bytes() / pieces_a_burst, 1));
        while (rate.available(now()) < piece)
            co_await sleep_until(rate.available_at(piece));
        co_return std::min(wanted, rate.available(now()));
    }

    byte_rate receiving_;
    byte_rate sending_;
};

template <class Stream>
throttled(Stream&&, byte_rate, byte_rate) -> throttled<Stream>;

}  // namespace eddy
