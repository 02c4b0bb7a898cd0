#include <eddy/fs/file_transfer.hpp>
#include <eddy/io/result.hpp>

namespace eddy::detail {

namespace {

const char* name_of(io::opcode code) noexcept {
    return code == io::opcode::read_at || code == io::opcode::read_vectored_at ? "read" : "write";
}

}  // namespace

awaited_file_transfer::awaited_file_transfer(io::backend& carrier, io::opcode asked, int file,
                                             const void* memory, std::size_t count,
                                             std::uint64_t from) noexcept
    : awaited_operation(carrier, asked) {
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
