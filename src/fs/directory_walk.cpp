#include "fs/file_error.hpp"
#include "fs/pool_files.hpp"

#include <eddy/fs/directory_walk.hpp>

#include <algorithm>
#include <cerrno>
#include <new>

namespace eddy {

namespace detail {

void walk_state::fill() noexcept {
    const std::lock_guard reading(reading_);
    if (is_filled())
        return;
    try {
        error_ = reader_->read(filled_);
    } catch (const std::bad_alloc&) {
        error_ = -ENOMEM;
    }
    is_filled_.store(true, std::memory_order_release);
}

int walk_state::take(io::directory_batch& out) noexcept {
    out.clear();
    std::swap(out, filled_);
    const int error = std::exchange(error_, 0);
    is_filled_.store(false, std::memory_order_release);
    return error;
}

}  // namespace detail

std::optional<directory_entry> directory_walk::take() {
    if (next_ == batch_.entries.size()) {
        if (is_over_)
            return std::nullopt;
        next_ = 0;
        const int error = state_->take(batch_);
        is_over_ = error < 0 || batch_.entries.empty();
        if (error < 0) {
            batch_.clear();
            detail::throw_file_error(error, "read the directory", state_->path());
        }
        if (is_over_)
            return std::nullopt;
    }
    return directory_entry(batch_, batch_.entries[next_++]);
}

namespace fs {

directory_walk entries(const file_path& path) {
    return walk(path, walk_options().depth_max(1));
}

directory_walk walk(const file_path& path, const walk_options& options) {
    static_cast<void>(path.checked());
    const std::uint32_t depth = std::clamp(options.depth_max(), 1U, walk_options().depth_max());
    return {detail::pool_files().read_directory(path.text(), true, depth), path};
}

}  // namespace fs

}  // namespace eddy
