#pragma once

#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/detail/awaited_operation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <span>
#include <system_error>

namespace eddy::detail {

/// An offset as an operation takes it. No file reaches beyond the largest, which the system refuses; it would
/// take the last of all numbers for the file's own position.
[[nodiscard]] constexpr std::uint64_t checked_offset(std::uint64_t offset) noexcept {
    return std::min<std::uint64_t>(offset, std::numeric_limits<std::int64_t>::max());
}

/// Awaits that bytes of a file are read or written.
class awaited_file_transfer : public io::awaited_operation<io::operation>,
                              public outcome_awaiter<awaited_file_transfer> {
public:
    /// `memory`: bytes, or buffers and their number, as the opcode takes them.
    awaited_file_transfer(io::backend& backend, io::opcode kind, int file, const void* memory,
                          std::size_t count, std::uint64_t from) noexcept;
    /// At a position that advances by what was transferred, once the result is taken.
    awaited_file_transfer(io::backend& backend, io::opcode kind, int file, const void* memory,
                          std::size_t count, std::uint64_t* position) noexcept
        : awaited_file_transfer(backend, kind, file, memory, count, *position) {
        position_ = position;
    }

    std::expected<std::size_t, std::error_code> outcome() noexcept;
    [[nodiscard]] const char* what() const noexcept;

private:
    std::uint64_t* position_ = nullptr;
};

}  // namespace eddy::detail
