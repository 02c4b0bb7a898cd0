#include <eddy/fs/folder.hpp>
#include <eddy/io/result.hpp>
#include <eddy/runtime/worker.hpp>

#include <utility>

namespace eddy {

namespace detail {

awaited_open::awaited_open(io::backend& carrier, int folder, const char* path) noexcept
    : awaited_operation(carrier, io::opcode::open_beneath) {
    descriptor = folder;
    address = const_cast<char*>(path);
    size = io::open_read;
}

awaited_open::awaited_open(io::backend& carrier, io::opcode asked, int folder, const char* path,
                           const open_options& options) noexcept
    : awaited_operation(carrier, asked), has_options_(true), is_contradictory_(options.is_contradictory()) {
    descriptor = folder;
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
        carrier().make_blocking(result());
    return {carrier(), result()};
}

awaited_open::~awaited_open() {
    withdraw_if_pending();
    // The opening had won the race, or nobody came for its result.
    if (was_awaited() && !is_taken_ && result() >= 0)
        carrier().close(result());
}

file awaited_open::await_resume() {
    is_taken_ = true;
    io::require_done(result(), "open");
    return file(take());
}

std::expected<file, std::error_code> awaited_open::outcome() noexcept {
    is_taken_ = true;
    if (result() < 0)
        return std::unexpected(io::error_of(result()));
    return file(take());
}

}  // namespace detail

folder folder::open(const std::string& path) {
    io::backend& carrier = worker::current().carrier();
    detail::owned_descriptor opened(carrier, carrier.open_folder(path.c_str()));
    if (opened.get() < 0)
        throw std::system_error(io::error_of(opened.get()), "cannot open the folder " + path);
    return folder(std::move(opened));
}

detail::awaited_open folder::open_file(const char* path) const noexcept {
    return {descriptor_.carrier(), descriptor_.get(), path};
}

detail::awaited_open folder::open_file(const char* path, const open_options& options) const noexcept {
    return {descriptor_.carrier(), io::opcode::open_beneath, descriptor_.get(), path, options};
}

}  // namespace eddy
