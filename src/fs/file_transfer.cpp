#include <eddy/fs/detail/file_transfer.hpp>
#include <eddy/io/detail/result.hpp>

namespace eddy::detail {

awaited_file_transfer::awaited_file_transfer(io::backend& backend, io::opcode kind, int file,
                                             const void* memory, std::size_t count,
                                             std::uint64_t from) noexcept
    : awaited_operation(backend, kind) {
    descriptor = file;
    address = const_cast<void*>(memory);
    size = count;
    offset = checked_offset(from);
}

std::expected<std::size_t, std::error_code> awaited_file_transfer::outcome() noexcept {
    const auto count = io::expected_count(result());
    if (count && position_ != nullptr)
        *position_ += *count;
    return count;
}

const char* awaited_file_transfer::what() const noexcept {
    return code == io::opcode::read_at || code == io::opcode::read_vectored_at ? "read" : "write";
}

}  // namespace eddy::detail
