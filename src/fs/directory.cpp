#include <eddy/fs/directory.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/runtime/worker.hpp>

#include <utility>

namespace eddy {

namespace detail {

awaited_open::awaited_open(io::backend& backend, int directory, const char* path) noexcept
    : awaited_operation(backend, io::opcode::open_beneath) {
    descriptor = directory;
    address = const_cast<char*>(path);
    size = io::open_read;
}

awaited_open::awaited_open(io::backend& backend, io::opcode kind, int directory, const char* path,
                           const open_options& options) noexcept
    : awaited_operation(backend, kind), has_options_(true), is_contradictory_(options.is_contradictory()) {
    descriptor = directory;
    address = const_cast<char*>(path);
    size = options.flags();
    offset = options.mode();
}

bool awaited_open::await_ready() noexcept {
    if (is_contradictory_)
        set_result(-static_cast<std::int32_t>(std::errc::invalid_argument));
    return is_contradictory_;
}

owned_descriptor awaited_open::take() noexcept {
    if (has_options_)
        backend().system().descriptors->make_blocking(result());
    return {backend(), result()};
}

awaited_open::~awaited_open() {
    withdraw_if_pending();
    // The file was opened before the drop, or its result was not taken.
    if (was_awaited() && !is_taken_ && result() >= 0)
        backend().close(result());
}

std::expected<file, std::error_code> awaited_open::outcome() noexcept {
    is_taken_ = true;
    if (result() < 0)
        return std::unexpected(io::error_of(result()));
    return file(take());
}

}  // namespace detail

directory directory::open(const std::string& path) {
    io::backend& backend = detail::worker_core::current().backend();
    detail::owned_descriptor opened(backend, backend.system().descriptors->open_directory(path.c_str()));
    if (opened.get() < 0)
        throw std::system_error(io::error_of(opened.get()), "cannot open the directory " + path);
    return directory(std::move(opened));
}

detail::awaited_open directory::open_file(const char* path) const noexcept {
    return {descriptor_.backend(), descriptor_.get(), path};
}

detail::awaited_open directory::open_file(const char* path, const open_options& options) const noexcept {
    return {descriptor_.backend(), io::opcode::open_beneath, descriptor_.get(), path, options};
}

}  // namespace eddy
