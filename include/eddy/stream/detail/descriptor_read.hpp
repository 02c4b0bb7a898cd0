#pragma once

#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/stream/detail/descriptor_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <system_error>
#include <utility>

namespace eddy::detail {

/// Awaits bytes of a stream over a descriptor in the caller's memory. Stream is a descriptor_stream, and has
///
///     static constexpr bool is_socket;              // whose end stays its end
///     [[nodiscard]] bool is_deferring_reads() const noexcept;   // a read is not to be tried at once
///
/// and what `is_socket` asks for: src/stream/descriptor_read.hpp.
template <class Stream>
class descriptor_read : public io::awaited_operation<io::operation>,
                        public outcome_awaiter<descriptor_read<Stream>> {
public:
    descriptor_read(Stream& stream, std::span<std::byte> out) noexcept
        : awaited_operation(stream.backend(), Stream::is_socket ? io::opcode::receive : io::opcode::read,
                            &on_step),
          stream_(stream) {
        descriptor = stream.descriptor();
        address = out.data();
        size = out.size();
    }
    descriptor_read(descriptor_read&& other) noexcept
        : awaited_operation(std::move(other)),
          stream_(other.stream_) {}  // NOLINT(bugprone-use-after-move): the base took its part only
    descriptor_read& operator=(descriptor_read&&) = delete;
    ~descriptor_read() { abandon(); }

    bool await_ready() noexcept;
    void await_suspend(suspension point) noexcept;
    std::expected<std::size_t, std::error_code> outcome() noexcept { return io::expected_count(take()); }
    [[nodiscard]] static const char* what() noexcept { return "read"; }
    [[nodiscard]] bool is_pending() const noexcept;
    void interrupt() noexcept;

private:
    static void on_step(io::operation& ended, const io::completion& step) noexcept;
    [[nodiscard]] bool may_read_on() noexcept;
    [[nodiscard]] std::int32_t take() noexcept;
    void end_direct() noexcept;
    void abandon() noexcept;

    Stream& stream_;
    enum class way : std::uint8_t { none, pooled, direct } way_ = way::none;
};

}  // namespace eddy::detail
