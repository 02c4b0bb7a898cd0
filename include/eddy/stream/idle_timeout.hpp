#pragma once

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/detail/stream_adaptor.hpp>

#include <chrono>
#include <cstddef>
#include <span>
#include <system_error>
#include <utility>

namespace eddy {

/// A stream with a limit on idleness: a read or a write ends with timed_out once nothing was read and nothing
/// written for some time while it waited. Bytes in either direction count for both, so a read may wait for as
/// long as another task keeps writing.
///
/// - Ownership: `idle_timeout(stream, limit)` refers to a stream that outlives it,
///   `idle_timeout(std::move(s), limit)` owns it.
/// - Thread safety, cancellation and errors: those of the stream. After timed_out the stream is as it was; a
///   write may have written a part.
/// - Cost: a timer and a coroutine frame for each operation; no system call.
template <class Stream>
class idle_timeout : public detail::stream_adaptor<idle_timeout<Stream>, Stream> {
    using adaptor = detail::stream_adaptor<idle_timeout<Stream>, Stream>;

public:
    using typename adaptor::stream_type;

    /// Takes over the stream, or refers to it if it is an lvalue.
    idle_timeout(Stream&& stream, duration limit) noexcept
        : adaptor(std::forward<Stream>(stream)), limit_(limit) {}

    /// See byte_source.
    [[nodiscard]] task<std::size_t> read(std::span<std::byte> out)
        requires byte_source<stream_type>
    {
        return while_active([this, out] { return this->stream().read(out); });
    }

    /// See byte_sink.
    [[nodiscard]] task<std::size_t> write(std::span<const std::byte> bytes)
        requires byte_sink<stream_type>
    {
        return while_active([this, bytes] { return this->stream().write(bytes); });
    }

private:
    [[nodiscard]] static time_point now() noexcept { return worker::current().now(); }
    void note_activity() noexcept { active_at_ = now(); }
    [[nodiscard]] time_point deadline() const noexcept { return detail::deadline_after(active_at_, limit_); }

    /// Awaits what `begin` begins, again and again as long as the other direction is active.
    template <class Begin>
    task<std::size_t> while_active(Begin begin) {
        note_activity();
        for (;;) {
            const time_point until = deadline();
            const auto count = co_await as_result(with_deadline(begin(), until));
            if (count.has_value()) {
                note_activity();
                co_return *count;
            }
            throw_unless_active(count.error(), until);
        }
    }

    void throw_unless_active(std::error_code error, time_point until) const {
        // The stream may have time-outs of its own, which come before ours.
        const bool is_ours = error == std::errc::timed_out && now() >= until;
        if (!is_ours || deadline() <= until)
            throw std::system_error(error, "idle");
    }

    duration limit_;
    time_point active_at_{};
};

template <class Stream>
idle_timeout(Stream&&, duration) -> idle_timeout<Stream>;

}  // namespace eddy
