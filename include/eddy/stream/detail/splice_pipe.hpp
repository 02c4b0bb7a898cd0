#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/stream/detail/splice_end.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace eddy::detail {

/// Awaits that the system moves bytes between a stream's descriptor and a pipe. Returns their number or a
/// negative error number.
class awaited_splice : public io::awaited_operation<io::splice_operation> {
public:
    /// Moves bytes into the pipe.
    awaited_splice(const splice_end& from, int pipe, std::size_t bytes_max) noexcept
        : awaited_splice(io::opcode::splice_from, from, from, pipe, bytes_max) {}
    /// Moves them on, which also moves the places of files on, even if it is dropped.
    awaited_splice(const splice_end& from, int pipe, const splice_end& to, std::size_t bytes_max) noexcept
        : awaited_splice(io::opcode::splice_to, from, to, pipe, bytes_max) {}
    awaited_splice(awaited_splice&&) = delete;
    awaited_splice& operator=(awaited_splice&&) = delete;
    ~awaited_splice() {
        withdraw_if_pending();
        settle();
    }

    void await_suspend(suspension point) noexcept {
        requested_.begin(*this);
        is_noted_ = true;
        awaited_operation::await_suspend(point);
    }
    std::int32_t await_resume() noexcept {
        settle();
        return result();
    }

private:
    awaited_splice(io::opcode kind, const splice_end& from, const splice_end& end, int pipe,
                   std::size_t bytes_max) noexcept;
    void settle() noexcept;

    const splice_end& from_;
    const splice_end& requested_;
    bool is_noted_ = false;
};

/// Moves bytes from one descriptor to another inside the kernel: through a pipe, as splice(2) requires. It is
/// empty between two calls of pass().
///
/// Thread safety: belongs to its worker.
class splice_pipe {
public:
    /// Whether the system does not move bytes between these descriptors (or has no pipe for it).
    [[nodiscard]] bool is_refused() const noexcept { return is_refused_; }

    /// Waits for bytes and moves some of them. Returns their number, 0 at the end, or when is_refused(): then
    /// remaining() bytes must be taken by read_back(). Dropped: what had been taken and not passed on is
    /// lost. Errors: std::system_error. Requires: both ends stay until then.
    [[nodiscard]] task<std::uint64_t> pass(splice_end from, splice_end to);

    /// Bytes that were taken and that the other end has refused.
    [[nodiscard]] std::size_t remaining() const noexcept { return remaining_; }
    /// Takes some of them. Requires: remaining() != 0; `out` is not empty.
    [[nodiscard]] task<std::size_t> read_back(std::span<std::byte> out);

private:
    [[nodiscard]] bool open(io::backend& backend);
    [[nodiscard]] bool note_refusal(std::int32_t result) noexcept;

    std::optional<owned_descriptor> reading_;
    std::optional<owned_descriptor> writing_;
    std::size_t remaining_ = 0;
    bool is_refused_ = false;
};

}  // namespace eddy::detail
