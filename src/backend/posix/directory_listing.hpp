#pragma once

#include <eddy/io/detail/directory_reader.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace eddy::backends {

/// The entries of one directory after the other, straight from the system and without any of its own.
///
/// Thread safety: one thread at a time.
class directory_listing {
public:
    directory_listing() = default;
    directory_listing(const directory_listing&) = delete;
    directory_listing& operator=(const directory_listing&) = delete;
    ~directory_listing() { close(); }

    struct entry {
        std::uint64_t inode;
        io::entry_kind kind;
        std::string_view name;  ///< valid until the next call; a NUL stands behind it
    };

    /// Opens a directory below another, on the way to which there must be no symbolic link; or any directory, by a
    /// path relative to `below` (or AT_FDCWD), whose last part must not be one unless `follows`.
    [[nodiscard]] int open_below(int below, const char* path) noexcept;
    [[nodiscard]] int open(const char* path, bool follows) noexcept;
    [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    void close() noexcept;
    /// Returns the descriptor to the caller.
    [[nodiscard]] int release() noexcept;

    /// 1 and the next entry, 0 at the end, or a negative error number. "." and ".." are none.
    [[nodiscard]] int next(entry& out) noexcept;

private:
    [[nodiscard]] int fill() noexcept;

    int descriptor_ = -1;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    alignas(8) std::array<std::byte, 32 * 1024> records_;
};

/// Opens a directory below another, on the way to which there is no symbolic link; -errno otherwise.
[[nodiscard]] int open_directory_below(int below, const char* path) noexcept;

}  // namespace eddy::backends
