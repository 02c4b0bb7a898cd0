#include "fs/file_error.hpp"
#include "fs/pool_files.hpp"
#include "fs/watch_state.hpp"

#include <eddy/fs/directory_watch.hpp>

#include <utility>

namespace eddy {

directory_watch::directory_watch(std::unique_ptr<detail::watch_state> state) noexcept
    : state_(std::move(state)) {}
directory_watch::directory_watch(directory_watch&&) noexcept = default;
directory_watch& directory_watch::operator=(directory_watch&&) noexcept = default;
directory_watch::~directory_watch() = default;

task<std::optional<directory_change>> directory_watch::next() {
    return state_->next();
}

namespace fs {

task<directory_watch> watch(file_path path, watch_options options) {
    static_cast<void>(path.checked());
    io::backend& backend = eddy::detail::worker_core::current().backend();
    io::file_system& files = *backend.system().files;
    const int opened = files.open_watch();
    detail::require_done(opened, "watch", path);
    detail::owned_descriptor owned(backend, opened);
    auto state = std::make_unique<detail::watch_state>(std::move(owned), files, std::move(path),
                                                       options.is_recursive());
    co_await state->catch_up();
    co_return directory_watch(std::move(state));
}

}  // namespace fs

}  // namespace eddy
