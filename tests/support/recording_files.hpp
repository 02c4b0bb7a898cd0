#pragma once

#include <eddy/io/detail/file_system.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace eddy::test {

/// A file system that leaves every call to another one, and keeps the order of those that decide what a power
/// failure leaves: "write new", "sync new", "rename new to old", "sync directory d". Files have the last part of
/// their names, but for temporary ones, which are called "temporary".
class recording_files final : public io::file_system {
public:
    explicit recording_files(io::file_system& real) noexcept : real_(real) {}

    [[nodiscard]] std::vector<std::string> calls() const {
        const std::lock_guard guard(lock_);
        return calls_;
    }
    /// Has calls that begin so fail with EIO from now on, after they were recorded.
    void fail(std::string beginning) { failing_ = std::move(beginning); }

    int status(const char* path, bool follows, io::file_status& out) noexcept override {
        return real_.status(path, follows, out);
    }
    int rename(const char* from, const char* to, bool keeps_existing) noexcept override {
        if (const int failure = note("rename " + name_of(from) + " to " + name_of(to)))
            return failure;
        return real_.rename(from, to, keeps_existing);
    }
    int link(const char* existing, const char* added) noexcept override {
        return real_.link(existing, added);
    }
    int symlink(const char* target, const char* added) noexcept override {
        return real_.symlink(target, added);
    }
    int read_link(const char* path, std::string& out) override { return real_.read_link(path, out); }
    int remove(const char* path) noexcept override {
        if (const int failure = note("remove " + name_of(path)))
            return failure;
        return real_.remove(path);
    }
    int create_directory(const char* path, std::uint32_t permissions) noexcept override {
        return real_.create_directory(path, permissions);
    }
    int remove_directory(const char* path) noexcept override { return real_.remove_directory(path); }
    int sync_directory(const char* path) noexcept override {
        if (const int failure = note("sync directory " + name_of(path)))
            return failure;
        return real_.sync_directory(path);
    }

    int open(const char* path, std::uint64_t flags, std::uint32_t permissions) noexcept override {
        return named(real_.open(path, flags, permissions), name_of(path));
    }
    void close(int descriptor) noexcept override { real_.close(descriptor); }
    int status_of(int descriptor, io::file_status& out) noexcept override {
        return real_.status_of(descriptor, out);
    }
    int duplicate(int descriptor) noexcept override {
        return named(real_.duplicate(descriptor), name_of(descriptor));
    }
    int write_all(int descriptor, std::span<const std::byte> bytes) noexcept override {
        if (const int failure = note("write " + name_of(descriptor)))
            return failure;
        return real_.write_all(descriptor, bytes);
    }
    int set_permissions(int descriptor, std::uint32_t permissions) noexcept override {
        if (const int failure = note("set permissions of " + name_of(descriptor)))
            return failure;
        return real_.set_permissions(descriptor, permissions);
    }
    int truncate(int descriptor, std::uint64_t size) noexcept override {
        return real_.truncate(descriptor, size);
    }
    int allocate(int descriptor, std::uint64_t offset, std::uint64_t size) noexcept override {
        return real_.allocate(descriptor, offset, size);
    }
    int sync(int descriptor, bool only_data) noexcept override {
        if (const int failure = note((only_data ? "sync data of " : "sync ") + name_of(descriptor)))
            return failure;
        return real_.sync(descriptor, only_data);
    }
    int lock(int descriptor, io::file_lock_kind kind) noexcept override {
        return real_.lock(descriptor, kind);
    }
    int clone(int from, int to) noexcept override { return real_.clone(from, to); }
    std::int64_t copy_some(int from, int to, std::uint64_t bytes_max) noexcept override {
        return real_.copy_some(from, to, bytes_max);
    }

    int open_named_pipe(const char* path, bool is_writing) noexcept override {
        return real_.open_named_pipe(path, is_writing);
    }
    int make_named_pipe(const char* path, std::uint32_t mode) noexcept override {
        return real_.make_named_pipe(path, mode);
    }

    std::unique_ptr<io::directory_reader> read_directory(std::string path, bool follows,
                                                         std::uint32_t depth_max) override {
        return real_.read_directory(std::move(path), follows, depth_max);
    }
    std::unique_ptr<io::tree_removal> remove_tree(std::string path) override {
        return real_.remove_tree(std::move(path));
    }

    int open_watch() noexcept override { return real_.open_watch(); }
    int add_watch(int descriptor, const char* path, bool follows) noexcept override {
        return real_.add_watch(descriptor, path, follows);
    }
    void remove_watch(int descriptor, int watch) noexcept override { real_.remove_watch(descriptor, watch); }
    bool take_event(std::span<const std::byte>& rest, io::watch_event& out) noexcept override {
        return real_.take_event(rest, out);
    }
    int unread_bytes(int descriptor) noexcept override { return real_.unread_bytes(descriptor); }

private:
    static std::string name_of(const std::string& path) {
        const std::string name = path.substr(path.find_last_of('/') + 1);
        return name.starts_with(".eddy-") ? "temporary" : name;
    }
    std::string name_of(int descriptor) const {
        const std::lock_guard guard(lock_);
        const auto found = names_.find(descriptor);
        return found != names_.end() ? found->second : "a file";
    }
    int named(int descriptor, const std::string& name) {
        const std::lock_guard guard(lock_);
        if (descriptor >= 0)
            names_[descriptor] = name;
        return descriptor;
    }
    int note(const std::string& call) {
        const std::lock_guard guard(lock_);
        calls_.push_back(call);
        return !failing_.empty() && call.starts_with(failing_) ? -EIO : 0;
    }

    io::file_system& real_;
    std::string failing_;
    mutable std::mutex lock_;  // calls come from threads of the pool
    std::vector<std::string> calls_;
    std::map<int, std::string> names_;
};

}  // namespace eddy::test
