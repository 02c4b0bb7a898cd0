#include "fs/file_error.hpp"
#include "fs/pool_files.hpp"

#include <eddy/fs/names.hpp>

#include <memory>
#include <utility>

namespace eddy::fs {

task<std::uint64_t> remove_all(file_path path) {
    static_cast<void>(path.checked());
    // A step that runs on after a drop keeps it.
    const std::shared_ptr<io::tree_removal> removal = detail::pool_files().remove_tree(path.text());
    while (true) {
        const int result = co_await offload(
            work_kind::short_running,
            [](const std::shared_ptr<io::tree_removal>& shared) { return shared->step(); },
            std::shared_ptr(removal));
        detail::require_done(result, "remove all of", path);
        if (result == 0)
            co_return removal->removed();
    }
}

}  // namespace eddy::fs
