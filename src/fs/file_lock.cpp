#include "fs/pool_files.hpp"
#include "io/retry_pace.hpp"

#include <eddy/fs/file_lock.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/runtime/sleep.hpp>

#include <cerrno>

namespace eddy::fs {

namespace {

// On the pool.
std::optional<file_lock> lock_or_leave(detail::pooled_descriptor&& target, io::file_lock_kind kind) {
    const int result = target.files().lock(target.get(), kind);
    if (result == -EWOULDBLOCK)
        return std::nullopt;
    io::require_done(result, "flock");
    return file_lock(std::move(target));
}

}  // namespace

task<std::optional<file_lock>> try_lock(const file& locked, io::file_lock_kind kind) {
    co_return co_await offload(work_kind::short_running, &lock_or_leave,
                               detail::duplicate_for_pool(detail::pool_files(), locked.descriptor()), kind);
}

task<file_lock> lock(const file& locked, io::file_lock_kind kind) {
    detail::retry_pace pace;
    for (;;) {
        std::optional<file_lock> got = co_await try_lock(locked, kind);
        if (got)
            co_return std::move(*got);
        co_await sleep_for(pace.next());
    }
}

}  // namespace eddy::fs
