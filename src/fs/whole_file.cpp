#include "fs/file_error.hpp"
#include "fs/pending_file.hpp"
#include "fs/pool_files.hpp"

#include <eddy/fs/file.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/fs/whole_file.hpp>
#include <eddy/io/buffer.hpp>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace eddy::fs {

namespace {

using detail::require_done;

void replace(io::file_system& files, const file_path& path, const std::string& content, std::uint32_t mode,
             std::uint64_t bits) {
    static_cast<void>(path.checked());
    detail::pending_file made(files, path, "replace", bits);
    made.make(mode);
    io::file_status old;
    if (files.status(path.checked(), false, old) == 0 && old.kind == io::file_status::file_kind::regular)
        made.require(files.set_permissions(made.descriptor(), old.permissions & 0777));
    require_done(files.write_all(made.descriptor(), as_bytes(content)), "write", path);
    require_done(files.sync(made.descriptor(), false), "sync", path);
    made.take_place(false);
    require_done(files.sync_directory(path.parent().c_str()), "sync the directory of", path);
}

}  // namespace

task<std::string> read_file(file_path path, std::size_t limit) {
    constexpr std::size_t piece_min = 4096;
    const file opened = co_await open(path);
    std::string content;
    std::size_t filled = 0;
    const io::file_status status = opened.status();
    // It has no places to read at, and to wait for its writer could take for ever.
    if (status.kind == io::file_status::file_kind::pipe)
        detail::throw_file_error(-ESPIPE, "read", path);
    const std::uint64_t reported = status.size;
    // One byte more than the reported size finds the end with the same read, unless the file grows.
    content.resize(std::min<std::uint64_t>(std::max<std::uint64_t>(reported + 1, piece_min), limit));
    while (true) {
        if (filled == content.size()) {
            if (filled > limit)
                detail::throw_file_error(-EFBIG, "read", path);
            content.resize(filled < limit ? std::min(std::max(2 * filled, piece_min), limit) : limit + 1);
        }
        const std::span rest = std::as_writable_bytes(std::span(content)).subspan(filled);
        const std::size_t count = co_await opened.read_at(rest, filled);
        filled += count;
        if (filled > limit)
            detail::throw_file_error(-EFBIG, "read", path);
        if (count == 0)
            break;
    }
    content.resize(filled);
    co_return content;
}

task<> write_file(file_path path, std::string content, std::uint32_t mode) {
    const file opened = co_await open(std::move(path), open_options().write().create().truncate().mode(mode));
    co_await opened.write_all_at(as_bytes(content), 0);
}

task<> replace_file(file_path path, std::string content, std::uint32_t mode) {
    // Much data keeps a thread for long, from which short calls must be kept.
    constexpr std::size_t short_bytes_max = std::size_t{1} << 20;
    const work_kind kind =
        content.size() <= short_bytes_max ? work_kind::short_running : work_kind::long_running;
    co_await offload(
        kind,
        [](io::file_system* files, const file_path& replaced, const std::string& bytes,
           std::uint32_t permissions,
           std::uint64_t random) { replace(*files, replaced, bytes, permissions, random); },
        &detail::pool_files(), std::move(path), std::move(content), mode, detail::random_bits());
}

}  // namespace eddy::fs
