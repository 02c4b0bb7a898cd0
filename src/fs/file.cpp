#include <eddy/fs/file.hpp>

namespace eddy {

namespace detail {

awaited_read_at::awaited_read_at(io::backend& carrier, int file, std::span<std::byte> out,
                                 std::uint64_t from) noexcept
    : awaited_operation(carrier, io::opcode::read_at) {
    descriptor = file;
    address = out.data();
    size = out.size();
    offset = from;
}

std::size_t awaited_read_at::await_resume() {
    if (result() < 0)
        io::throw_error(result(), "read");
    return static_cast<std::size_t>(result());
}

std::expected<std::size_t, std::error_code> awaited_read_at::outcome() noexcept {
    if (result() < 0)
        return std::unexpected(io::error_of(result()));
    return static_cast<std::size_t>(result());
}

}  // namespace detail

detail::awaited_read_at file::read_at(std::span<std::byte> out, std::uint64_t offset) const noexcept {
    return {descriptor_.carrier(), descriptor_.get(), out, offset};
}

detail::awaited_owned_read file::read_at(std::uint64_t offset, std::size_t count) const {
    return {descriptor_.carrier(), descriptor_.get(), offset, count};
}

io::file_status file::status() const {
    io::file_status found;
    if (const int result = descriptor_.carrier().status_of(descriptor_.get(), found); result < 0)
        io::throw_error(result, "fstat");
    return found;
}

}  // namespace eddy
