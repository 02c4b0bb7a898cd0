#pragma once

#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/stream/detail/descriptor_read.hpp>
#include <eddy/stream/detail/descriptor_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace eddy::detail {

/// The state of a stream over a descriptor that is no socket: a pipe's end, a terminal, a standard stream. Its end
/// need not last: a terminal goes on after it, and a named pipe has none before the first writer.
///
/// Thread safety: belongs to its worker.
class polled_stream final : public descriptor_stream {
public:
    static constexpr bool is_socket = false;

    polled_stream(worker_core& home, owned_descriptor opened) noexcept
        : descriptor_stream(home, opened.release(), home.others_open()) {}
    ~polled_stream() { close(); }

    /// What is under way ends with operation_canceled.
    void close() noexcept {
        if (is_open())
            close_stream();
    }
    /// Takes the end or an error, too: the next read asks the system again.
    [[nodiscard]] std::int32_t take_bytes(std::span<std::byte> out) noexcept;

    /// Whether no process has opened the other end of a named pipe yet: a read would report the end too
    /// early.
    [[nodiscard]] bool is_deferring_reads() const noexcept { return expects_writer_; }
    void expect_writer() noexcept { expects_writer_ = true; }
    void note_writer() noexcept { expects_writer_ = false; }

private:
    bool expects_writer_ = false;
};

/// Takes over the descriptor. Requires: the caller is on a worker.
[[nodiscard]] std::unique_ptr<polled_stream> make_polled_stream(int descriptor);

using polled_read = descriptor_read<polled_stream>;
extern template class descriptor_read<polled_stream>;

}  // namespace eddy::detail
