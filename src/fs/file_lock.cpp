#include "fs/pool_files.hpp"

#include <eddy/fs/file_lock.hpp>
#include <eddy/io/awaited_operation.hpp>
#include <eddy/runtime/sleep.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace eddy::fs {

namespace {

detail::pooled_descriptor duplicate(const file& original) {
    io::file_system& files = detail::pool_files();
    detail::pooled_descriptor copy(files, files.duplicate(original.descriptor()));
    if (copy.get() < 0)
        io::throw_error(copy.get(), "dup");
    return copy;
}

// On the pool.
std::optional<file_lock> lock_or_leave(detail::pooled_descriptor&& target, io::file_lock_kind kind) {
    const int result = target.files().lock(target.get(), kind);
    if (result == -EWOULDBLOCK)
        return std::nullopt;
    if (result < 0)
        io::throw_error(result, "flock");
    return file_lock(std::move(target));
}

}  // namespace

task<std::optional<file_lock>> try_lock(const file& locked, io::file_lock_kind kind) {
    co_return co_await offload(work_kind::short_running, &lock_or_leave, duplicate(locked), kind);
}

task<file_lock> lock(const file& locked, io::file_lock_kind kind) {
    constexpr duration pause_min = std::chrono::milliseconds(1);
    constexpr duration pause_max = std::chrono::milliseconds(50);
    for (duration pause = pause_min;; pause = std::min(2 * pause, pause_max)) {
        std::optional<file_lock> got = co_await try_lock(locked, kind);
        if (got)
            co_return std::move(*got);
        co_await sleep_for(pause);
    }
}

}  // namespace eddy::fs
