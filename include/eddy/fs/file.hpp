#pragma once

#include <eddy/fs/owned_read.hpp>
#include <eddy/io/awaited_operation.hpp>
#include <eddy/io/backend.hpp>
#include <eddy/io/owned_descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <system_error>

namespace eddy {

namespace detail {

/// Awaits bytes of a file.
class awaited_read_at : public io::awaited_operation<io::operation> {
public:
    awaited_read_at(io::backend& carrier, int descriptor, std::span<std::byte> out,
                    std::uint64_t offset) noexcept;

    std::size_t await_resume();
    std::expected<std::size_t, std::error_code> outcome() noexcept;
};

}  // namespace detail

/// A file open for reading.
///
/// Ownership: moves, does not copy; destroying it closes it; it outlives the tasks that read from it. Thread
/// safety: none; it belongs to its worker.
class file {
public:
    explicit file(detail::owned_descriptor descriptor) noexcept : descriptor_(std::move(descriptor)) {}

    /// Reads bytes from `offset` on into `out`; gives their number, fewer than asked only at the end of the
    /// file or by the system's choice, 0 at the end. Dropped: waits until the system is done with `out`,
    /// which the device bounds; what had been read is in `out` or not, and can be read again. Requires: `out`
    /// stays until then.
    [[nodiscard]] detail::awaited_read_at read_at(std::span<std::byte> out,
                                                  std::uint64_t offset) const noexcept;

    /// Reads up to `count` bytes from `offset` on into memory of their own, for which it allocates; fewer and
    /// none as above. Dropped: never waits, even if the device does; the memory is freed, and the file
    /// closed, once the system is done with them. Throws std::bad_alloc here, std::system_error when awaited.
    [[nodiscard]] detail::awaited_owned_read read_at(std::uint64_t offset, std::size_t count) const;

    /// Size, time of change and so on. Throws std::system_error.
    [[nodiscard]] io::file_status status() const;

private:
    detail::owned_descriptor descriptor_;
};

}  // namespace eddy
