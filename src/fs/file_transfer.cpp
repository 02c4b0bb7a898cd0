#include <eddy/fs/detail/file_transfer.hpp>
#include <eddy/io/detail/result.hpp>

namespace eddy::detail {

namespace {

const char* name_of(io::opcode kind) noexcept {
    return kind == io::opcode::read_at || kind == io::opcode::read_vectored_at ? "read" : "write";
}

}  // namespace

awaited_file_transfer::awaited_file_transfer(io::backend& backend, io::opcode kind, int file,
                                             const void* memory, std::size_t count,
                                             std::uint64_t from) noexcept
    : awaited_operation(backend, kind) {
    descriptor = file;
    address = const_cast<void*>(memory);
    size = count;
    offset = checked_offset(from);
}

std::size_t awaited_file_transfer::await_resume() {
    return io::require_count(result(), name_of(code));
}

std::expected<std::size_t, std::error_code> awaited_file_transfer::outcome() noexcept {
    return io::expected_count(result());
}

}  // namespace eddy::detail
