#include "fs/file_error.hpp"
#include "fs/pool_files.hpp"

#include <eddy/fs/names.hpp>

#include <cerrno>
#include <utility>

namespace eddy::fs {

namespace {

using detail::require_done;

io::file_status status_or_throw(io::file_system& files, const file_path& path, bool follows_link) {
    io::file_status found;
    require_done(files.status(path.checked(), follows_link, found), "look at", path);
    return found;
}

void create_or_throw(io::file_system& files, const file_path& path, std::uint32_t mode) {
    const int result = files.create_directory(path.checked(), mode);
    // Another process may have made it first.
    io::file_status there;
    if (result == -EEXIST && files.status(path.checked(), true, there) == 0 &&
        there.kind == io::file_status::file_kind::directory)
        return;
    require_done(result, "create the directory", path);
}

void create_all(io::file_system& files, const file_path& path, std::uint32_t mode) {
    const int result = files.create_directory(path.checked(), mode);
    if (result == 0)
        return;
    if (result != -ENOENT || path.text().empty())
        return create_or_throw(files, path, mode);
    const file_path parent = path.parent();
    if (parent.text() == path.text())
        require_done(result, "create the directory", path);
    create_all(files, parent, mode);
    create_or_throw(files, path, mode);
}

}  // namespace

task<io::file_status> status(file_path path) {
    co_return co_await detail::on_pool(
        [](io::file_system& files, const file_path& requested) {
            return status_or_throw(files, requested, true);
        },
        std::move(path));
}

task<io::file_status> symlink_status(file_path path) {
    co_return co_await detail::on_pool(
        [](io::file_system& files, const file_path& requested) {
            return status_or_throw(files, requested, false);
        },
        std::move(path));
}

task<bool> exists(file_path path) {
    co_return co_await detail::on_pool(
        [](io::file_system& files, const file_path& requested) {
            io::file_status ignored;
            const int result = files.status(requested.checked(), true, ignored);
            if (result == -ENOENT || result == -ENOTDIR)
                return false;
            require_done(result, "look at", requested);
            return true;
        },
        std::move(path));
}

task<> rename(file_path from, file_path to) {
    co_await detail::on_pool(
        [](io::file_system& files, const file_path& old_name, const file_path& new_name) {
            require_done(files.rename(old_name.checked(), new_name.checked(), false), "rename", old_name);
        },
        std::move(from), std::move(to));
}

task<> rename_new(file_path from, file_path to) {
    co_await detail::on_pool(
        [](io::file_system& files, const file_path& old_name, const file_path& new_name) {
            require_done(files.rename(old_name.checked(), new_name.checked(), true), "rename", old_name);
        },
        std::move(from), std::move(to));
}

task<> link(file_path existing, file_path added) {
    co_await detail::on_pool(
        [](io::file_system& files, const file_path& old_name, const file_path& new_name) {
            require_done(files.link(old_name.checked(), new_name.checked()), "link to", old_name);
        },
        std::move(existing), std::move(added));
}

task<> symlink(file_path target, file_path added) {
    co_await detail::on_pool(
        [](io::file_system& files, const file_path& text, const file_path& name) {
            require_done(files.symlink(text.checked(), name.checked()), "make the symbolic link", name);
        },
        std::move(target), std::move(added));
}

task<std::string> read_link(file_path path) {
    co_return co_await detail::on_pool(
        [](io::file_system& files, const file_path& requested) {
            std::string target;
            require_done(files.read_link(requested.checked(), target), "read the symbolic link", requested);
            return target;
        },
        std::move(path));
}

task<> remove(file_path path) {
    co_await detail::on_pool(
        [](io::file_system& files, const file_path& removed) {
            require_done(files.remove(removed.checked()), "remove", removed);
        },
        std::move(path));
}

task<> create_directory(file_path path, std::uint32_t mode) {
    co_await detail::on_pool(
        [](io::file_system& files, const file_path& made, std::uint32_t bits) {
            require_done(files.create_directory(made.checked(), bits), "create the directory", made);
        },
        std::move(path), mode);
}

task<> create_directories(file_path path, std::uint32_t mode) {
    co_await detail::on_pool([](io::file_system& files, const file_path& made,
                                std::uint32_t bits) { create_all(files, made, bits); },
                             std::move(path), mode);
}

task<> remove_directory(file_path path) {
    co_await detail::on_pool(
        [](io::file_system& files, const file_path& removed) {
            require_done(files.remove_directory(removed.checked()), "remove the directory", removed);
        },
        std::move(path));
}

}  // namespace eddy::fs
