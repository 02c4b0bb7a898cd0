#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/byte_rate.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/stream_adaptor.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace eddy {

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
    [[nodiscard]] static time_point now() noexcept { return worker::current().carrier().now(); }

    /// Waits until a piece worth the trouble may go by; gives how much may.
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
