#pragma once

#include "call.hpp"
#include "support/todo.hpp"
#include "task.hpp"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/openat2.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace lab {

/// An open file. Reads wait for the disk, and so does a drop of one.
class file {
public:
    explicit file(int descriptor) noexcept : descriptor_(descriptor) {}
    file(file&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    file& operator=(file&&) = delete;
    ~file() {
        if (descriptor_ >= 0)
            ring::current().close(descriptor_);
    }

    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

    class read_awaiter : public call {
    public:
        read_awaiter(int descriptor, std::span<std::byte> into, std::uint64_t offset) noexcept {
            io_uring_prep_read(&request(), descriptor, into.data(), static_cast<unsigned>(into.size()),
                               offset);
        }
    };
    /// co_await returns how many bytes were read; 0 at the end.
    [[nodiscard]] read_awaiter read_at(std::uint64_t offset, std::span<std::byte> into) const noexcept {
        return {descriptor_, into, offset};
    }

private:
    int descriptor_;
};

/// A directory, and the files below it.
class directory {
public:
    /// Throws std::system_error.
    explicit directory(const std::string& path)
        : descriptor_(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
        if (descriptor_ < 0)
            throw std::system_error(errno, std::system_category(), path);
    }
    directory(const directory&) = delete;
    directory& operator=(const directory&) = delete;
    ~directory() { ::close(descriptor_); }

    /// co_await returns a file below the directory, links included. Throws std::system_error.
    class open_awaiter : public call {
    public:
        open_awaiter(int below, const char* path) noexcept {
            // TODO(step 7): nothing outside of the directory, and no waiting for a named pipe.
            how_.flags = O_RDONLY | O_CLOEXEC;
            io_uring_prep_openat2(&request(), below, path, &how_);
        }
        ~open_awaiter() {
            // TODO(step 3): a file that was won is closed.
        }
        file await_resume() { return file(call::await_resume()); }

    private:
        open_how how_{};
    };
    /// Requires: `path` lives until then.
    [[nodiscard]] open_awaiter open(const std::string& path) const noexcept {
        return {descriptor_, path.c_str()};
    }

private:
    int descriptor_;
};

/// A file's bytes, in memory where they are few.
struct content {
    std::uint64_t size = 0;
    std::string bytes;
    /// What is served from the disk.
    std::optional<file> large;
};

/// The small files of a directory, kept in memory, and looked at again after a second.
class file_cache {
public:
    explicit file_cache(const std::string& root) : root_(root) {}

    static constexpr std::size_t small_bytes_max = 64 * 1024;
    static constexpr std::size_t entries_max = 1024;
    static constexpr auto validity = std::chrono::seconds(1);

    /// What is kept and was looked at not long ago: without a wait.
    [[nodiscard]] std::shared_ptr<const content> find(const std::string& path, time_point now) const {
        static_cast<void>(path);
        static_cast<void>(now);
        course::todo("step 7: file_cache::find");
    }

    /// Throws std::system_error.
    [[nodiscard]] task<std::shared_ptr<const content>> load(std::string path, time_point now) {
        static_cast<void>(path);
        static_cast<void>(now);
        course::todo("step 7: file_cache::load");
        co_return nullptr;
    }

private:
    struct entry {
        std::shared_ptr<const content> what;
        time_point until;
    };
    directory root_;
    std::unordered_map<std::string, entry> kept_;
};

}  // namespace lab
