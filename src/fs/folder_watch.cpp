#include "fs/file_error.hpp"
#include "fs/pool_files.hpp"
#include "fs/watch_state.hpp"

#include <eddy/fs/folder_watch.hpp>

#include <utility>

namespace eddy {

folder_watch::folder_watch(std::unique_ptr<detail::watch_state> state) noexcept : state_(std::move(state)) {}
folder_watch::folder_watch(folder_watch&&) noexcept = default;
folder_watch& folder_watch::operator=(folder_watch&&) noexcept = default;
folder_watch::~folder_watch() = default;

task<std::optional<folder_change>> folder_watch::next() {
    return state_->next();
}

namespace fs {

task<folder_watch> watch(file_path path, watch_options options) {
    static_cast<void>(path.checked());
    io::backend& carrier = worker::current().carrier();
    io::file_system& files = carrier.files();
    const int opened = files.open_watch();
    detail::require_done(opened, "watch", path);
    detail::owned_descriptor owned(carrier, opened);
    auto state = std::make_unique<detail::watch_state>(std::move(owned), files, std::move(path),
                                                       options.is_recursive());
    co_await state->catch_up();
    co_return folder_watch(std::move(state));
}

}  // namespace fs

}  // namespace eddy
